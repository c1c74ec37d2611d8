import { CloudError } from '../../../api/cloud-error.ts'

/** Azure counts the bytes before base64. */
const mostBytes = 65_535

/** The bootstrap data as Azure's custom data. */
export function encodeUserData(data: Uint8Array): string {
  if (data.length <= mostBytes) return Buffer.from(data).toString('base64')
  const message =
    `The bootstrap data has ${data.length} bytes, but Azure accepts at most ${mostBytes} as custom data. Make it smaller, or ` +
    'download large parts from elsewhere.'
  throw new CloudError('invalid', { code: 'UserDataTooLarge', message })
}
