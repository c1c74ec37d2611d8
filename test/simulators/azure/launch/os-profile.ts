import { invalidParameter } from '../http/errors.ts'
import type { Image } from '../world.ts'
import type { VirtualMachineProperties } from './fields.ts'

type OsProfile = NonNullable<VirtualMachineProperties['osProfile']>

/** As many bytes as custom data may have once it is decoded. */
const mostBytes = 65_535
const mostCharacters = 87_380

const refusedNames = new Set([
  'admin',
  'administrator',
  'root',
  'user',
  'user1',
  'test',
  'guest',
  'john',
  'console',
  'sys',
  'backup',
  '1',
  'a',
])

/** What the guest is told, and the name that it gets. */
export function checkOsProfile(
  { osProfile, userData }: VirtualMachineProperties,
  vm: string,
  image: Image,
): { computerName: string; hasUserData: boolean } {
  checkBase64(userData, 'User data', 'userData')
  if (!osProfile) throw invalidParameter("Required parameter 'osProfile' is missing (null).", 'osProfile')
  const computerName = osProfile.computerName ?? vm
  const most = image.os === 'Windows' ? 15 : 64
  if (computerName.length > most || !/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(computerName)) {
    throw invalidParameter(
      `${image.os} host name cannot exceed ${most} characters in length or contain the following characters: ` +
        '` ~ ! @ # $ % ^ & * ( ) = + _ [ ] { } \\ | ; : \' " , < > / ?.',
      'computerName',
    )
  }
  checkAdmin(osProfile)
  if (image.os === 'Linux') checkLinux(osProfile)
  checkBase64(osProfile.customData, 'Custom data in OSProfile', 'customData')
  return { computerName, hasUserData: (osProfile.customData ?? '') !== '' }
}

function checkAdmin({ adminUsername }: OsProfile): void {
  if (adminUsername === undefined || adminUsername === '') {
    throw invalidParameter("Required parameter 'adminUsername' is missing (null).", 'adminUsername')
  }
  if (!refusedNames.has(adminUsername.toLowerCase()) && /^[a-z_][a-z0-9_-]{0,63}$/i.test(adminUsername)) return
  throw invalidParameter(
    'The Admin Username specified is not allowed. For more information about disallowed usernames, see ' +
      'https://aka.ms/vmosprofile',
    'adminUsername',
  )
}

function checkLinux({ linuxConfiguration, adminPassword, adminUsername = '' }: OsProfile): void {
  const keys = linuxConfiguration?.ssh?.publicKeys ?? []
  const refusesPasswords = linuxConfiguration?.disablePasswordAuthentication === true
  if (keys.length === 0 && (refusesPasswords || adminPassword === undefined)) {
    throw invalidParameter(
      'Authentication using either SSH or by user name and password must be enabled in Linux profile.',
      'linuxConfiguration',
    )
  }
  if (refusesPasswords && adminPassword !== undefined) {
    throw invalidParameter(
      "Parameter 'adminPassword' must not be set when password authentication is disabled.",
      'adminPassword',
    )
  }
  for (const key of keys) checkKey(key, `/home/${adminUsername}/.ssh/authorized_keys`)
}

function checkKey(key: { path?: string; keyData?: string }, path: string): void {
  if (key.path !== path) {
    throw invalidParameter(
      `Destination path for SSH public keys is currently limited to its default value ${path} due to a known issue ` +
        'in Linux provisioning agent.',
      'linuxConfiguration.ssh.publicKeys.path',
    )
  }
  if (/^(ssh-rsa|ssh-ed25519) [A-Za-z0-9+/]+={0,2}( .*)?\n?$/.test(key.keyData ?? '')) return
  throw invalidParameter(
    'The value of parameter linuxConfiguration.ssh.publicKeys.keyData is invalid.',
    'linuxConfiguration.ssh.publicKeys.keyData',
  )
}

function checkBase64(data: string | undefined, what: string, target: string): void {
  if (data === undefined) return
  const isBase64 = data.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(data)
  if (isBase64 && data.length <= mostCharacters && Buffer.from(data, 'base64').length <= mostBytes) return
  throw invalidParameter(
    `${what} must be in Base64 encoding and with a maximum length of ${mostCharacters} characters.`,
    target,
  )
}
