import { type Action } from '../http/action.ts'
import { IbmError } from '../http/errors.ts'

export const tokenPath = '/identity/token'
const grantType = 'urn:ibm:params:oauth:grant-type:apikey'

/** IAM's only call here: a token for an API key. */
export const getToken: Action = {
  name: 'get_token',
  method: 'POST',
  path: tokenPath,
  isOpen: true,
  answer({ request }, { tokens }) {
    const type = request.headers['content-type'] ?? ''
    if (!type.startsWith('application/x-www-form-urlencoded')) {
      throw new IbmError('BXNIM0114E', `The content type ${type === '' ? 'is missing' : `'${type}' is not supported`}.`)
    }
    const form = new URLSearchParams(request.body)
    const [grant, apikey] = [form.get('grant_type'), form.get('apikey')]
    if (grant === null) throw new IbmError('BXNIM0109E', 'Property missing or empty: grant_type.')
    if (grant !== grantType) throw new IbmError('BXNIM0108E', `The grant type '${grant}' is not supported.`)
    if (apikey === null || apikey === '') throw new IbmError('BXNIM0109E', 'Property missing or empty: apikey.')
    return { status: 200, body: tokens.issue(apikey), headers: { 'cache-control': 'no-store' } }
  },
}
