import { CloudError } from '../../../api/cloud-error.ts'

const mostBytes = 65_536

/** The bootstrap data as IBM takes it: as text, neither compressed nor in base64. */
export function userDataText(data: Uint8Array): string {
  if (data.length > mostBytes) {
    const advice = 'Make it smaller, or download large parts from elsewhere.'
    const message = `The bootstrap data has ${data.length} bytes, but IBM Cloud accepts at most ${mostBytes} as user data. ${advice}`
    throw new CloudError('invalid', { code: 'UserDataTooLarge', message })
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(data)
  } catch {
    const message =
      'The bootstrap data is not UTF-8 text, and IBM Cloud accepts nothing else as user data. Do not compress it.'
    throw new CloudError('invalid', { code: 'UserDataNotText', message })
  }
}
