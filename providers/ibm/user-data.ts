import { CloudError } from '../errors.ts'

const mostBytes = 65_536

/** The bootstrap data as IBM takes it: as text, neither compressed nor in base64. */
export function userDataText(data: Uint8Array): string {
  if (data.length > mostBytes) {
    const advice = 'Make it smaller, or let it fetch from elsewhere what is large.'
    const message = `The bootstrap data has ${data.length} bytes, but IBM Cloud takes ${mostBytes} as user data. ${advice}`
    throw new CloudError('invalid', { code: 'UserDataTooLarge', message })
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(data)
  } catch {
    const message =
      'The bootstrap data is no text in UTF-8, and IBM Cloud takes nothing else as user data. Leave it uncompressed.'
    throw new CloudError('invalid', { code: 'UserDataNotText', message })
  }
}
