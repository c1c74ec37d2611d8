import { guest, over, trapsOf } from './trap.ts'

const key = { path: '/home/capi/.ssh/authorized_keys', keyData: 'ssh-rsa AAAAB3NzaC1yc2E= nobody' }
const withKey = (said: Partial<typeof key>) =>
  guest({ linuxConfiguration: { disablePasswordAuthentication: true, ssh: { publicKeys: [{ ...key, ...said }] } } })
const base64 = (size: number) => Buffer.alloc(size).toString('base64')

/** What the guest cannot be told, and tags that a machine cannot carry. */
export const guests = trapsOf({
  InvalidParameter: [
    [
      'encryption at the host, a feature that the subscription has not',
      over({ securityProfile: { encryptionAtHost: true } }),
      "the 'Microsoft.Compute/EncryptionAtHost' feature is not enabled for this subscription.",
    ],
    [
      'custom data that is not in Base64',
      guest({ customData: '#cloud-config' }),
      'Custom data in OSProfile must be in Base64 encoding and with a maximum length of 87380 characters.',
    ],
    [
      'custom data that is too long',
      guest({ customData: base64(65_536) }),
      'Custom data in OSProfile must be in Base64 encoding',
    ],
    ['user data that is too long', over({ userData: base64(70_000) }), 'User data must be in Base64 encoding'],
    ['a user that may not be', guest({ adminUsername: 'root' }), 'The Admin Username specified is not allowed.'],
    ['no user', guest({ adminUsername: undefined } as never), "Required parameter 'adminUsername' is missing (null)."],
    [
      'no way to log in',
      guest({ linuxConfiguration: { disablePasswordAuthentication: true } }),
      'Authentication using either SSH or by user name and password must be enabled',
    ],
    ['a password where none may be', guest({ adminPassword: 'Pa$$word1234' }), "'adminPassword'"],
    ['a key at another place', withKey({ path: '/root/.ssh/authorized_keys' }), '/home/capi/'],
    ['a key that is none', withKey({ keyData: 'hello' }), 'keyData is invalid'],
    [
      'a host name with signs that are none',
      guest({ computerName: 'a_b' }),
      'Linux host name cannot exceed 64 characters',
    ],
  ],
  BadRequest: [
    [
      'UEFI settings of a machine that is not secured as a whole',
      over({ securityProfile: { uefiSettings: { secureBootEnabled: true } } }),
      "'securityProfile.securityType' has to be set",
    ],
  ],
  InvalidTagNameCharacters: [
    [
      'a tag whose name has a slash',
      over({ tags: { 'spot.cluster.x-k8s.io/owner': 'a' } }),
      "The tag names 'spot.cluster.x-k8s.io/owner' have reserved characters",
    ],
  ],
  InvalidTagValue: [['a value of a tag that is too long', over({ tags: { a: 'x'.repeat(257) } }), '256']],
  InvalidTagsCount: [
    [
      'more tags than there may be',
      over({ tags: Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`t${at}`, ''])) }),
      "'51'",
    ],
  ],
  AmbiguousTagKeys: [
    ['two tags that differ only in their capitals', over({ tags: { owner: 'a', Owner: 'b' } }), "'Owner'"],
  ],
})
