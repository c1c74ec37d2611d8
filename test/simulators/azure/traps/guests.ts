import { guest, over, type Trap } from './trap.ts'

const key = { path: '/home/capi/.ssh/authorized_keys', keyData: 'ssh-rsa AAAAB3NzaC1yc2E= nobody' }
const withKey = (said: Partial<typeof key>) =>
  guest({ linuxConfiguration: { disablePasswordAuthentication: true, ssh: { publicKeys: [{ ...key, ...said }] } } })
const base64 = (size: number) => Buffer.alloc(size).toString('base64')

/** What the guest cannot be told, and tags that a machine cannot carry. */
export const guests: readonly Trap[] = [
  {
    trap: 'encryption at the host, a feature that the subscription has not',
    said: over({ securityProfile: { encryptionAtHost: true } }),
    code: 'InvalidParameter',
    message: "the 'Microsoft.Compute/EncryptionAtHost' feature is not enabled for this subscription.",
  },
  {
    trap: 'UEFI settings of a machine that is not secured as a whole',
    said: over({ securityProfile: { uefiSettings: { secureBootEnabled: true } } }),
    code: 'BadRequest',
    message: "'securityProfile.securityType' has to be set",
  },
  {
    trap: 'custom data that is not in Base64',
    said: guest({ customData: '#cloud-config' }),
    code: 'InvalidParameter',
    message: 'Custom data in OSProfile must be in Base64 encoding and with a maximum length of 87380 characters.',
  },
  {
    trap: 'custom data that is too long',
    said: guest({ customData: base64(65_536) }),
    code: 'InvalidParameter',
    message: 'Custom data in OSProfile must be in Base64 encoding',
  },
  {
    trap: 'user data that is too long',
    said: over({ userData: base64(70_000) }),
    code: 'InvalidParameter',
    message: 'User data must be in Base64 encoding',
  },
  {
    trap: 'a user that may not be',
    said: guest({ adminUsername: 'root' }),
    code: 'InvalidParameter',
    message: 'The Admin Username specified is not allowed.',
  },
  {
    trap: 'no user',
    said: guest({ adminUsername: undefined } as never),
    code: 'InvalidParameter',
    message: "Required parameter 'adminUsername' is missing (null).",
  },
  {
    trap: 'no way to log in',
    said: guest({ linuxConfiguration: { disablePasswordAuthentication: true } }),
    code: 'InvalidParameter',
    message: 'Authentication using either SSH or by user name and password must be enabled',
  },
  {
    trap: 'a password where none may be',
    said: guest({ adminPassword: 'Pa$$word1234' }),
    code: 'InvalidParameter',
    message: "'adminPassword'",
  },
  {
    trap: 'a key at another place',
    said: withKey({ path: '/root/.ssh/authorized_keys' }),
    code: 'InvalidParameter',
    message: '/home/capi/',
  },
  {
    trap: 'a key that is none',
    said: withKey({ keyData: 'hello' }),
    code: 'InvalidParameter',
    message: 'keyData is invalid',
  },
  {
    trap: 'a host name with signs that are none',
    said: guest({ computerName: 'a_b' }),
    code: 'InvalidParameter',
    message: 'Linux host name cannot exceed 64 characters',
  },
  {
    trap: 'a tag whose name has a slash',
    said: over({ tags: { 'spot.cluster.x-k8s.io/owner': 'a' } }),
    code: 'InvalidTagNameCharacters',
    message: "The tag names 'spot.cluster.x-k8s.io/owner' have reserved characters",
  },
  {
    trap: 'a value of a tag that is too long',
    said: over({ tags: { a: 'x'.repeat(257) } }),
    code: 'InvalidTagValue',
    message: '256',
  },
  {
    trap: 'more tags than there may be',
    said: over({ tags: Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`t${at}`, ''])) }),
    code: 'InvalidTagsCount',
    message: "'51'",
  },
  {
    trap: 'two tags that differ only in their capitals',
    said: over({ tags: { owner: 'a', Owner: 'b' } }),
    code: 'AmbiguousTagKeys',
    message: "'Owner'",
  },
]
