import { Ec2Error, invalidValue } from '../http/errors.ts'

const mostBytes = 16_384

/** How many bytes the user data has. EC2 counts them before base64. */
export function checkUserData(encoded: string | undefined): number {
  if (encoded === undefined) return 0
  const compact = encoded.replace(/\s/g, '')
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(compact)) {
    throw new Ec2Error('InvalidUserData.Malformed', 'Invalid BASE64 encoding of user data.')
  }
  const { length } = Buffer.from(compact, 'base64')
  if (length > mostBytes) throw invalidValue(`User data is limited to ${mostBytes} bytes`)
  return length
}
