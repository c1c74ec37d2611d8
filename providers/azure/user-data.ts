import { CloudError } from '../errors.ts'

/** Azure counts the bytes before base64. */
const mostBytes = 65_535

/** The bootstrap data as Azure's custom data. */
export function encodeUserData(data: Uint8Array): string {
  if (data.length <= mostBytes) return Buffer.from(data).toString('base64')
  const message =
    `The bootstrap data has ${data.length} bytes, but Azure takes ${mostBytes} as custom data. Make it smaller, or let ` +
    'it fetch from elsewhere what is large.'
  throw new CloudError('invalid', { code: 'UserDataTooLarge', message })
}
