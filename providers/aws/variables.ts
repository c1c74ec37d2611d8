/**
 * The variables of the manager's environment by which EC2 is reached: those of every AWS SDK, each with what it is for.
 */
export const variables = {
  AWS_ACCESS_KEY_ID:
    'The access key. Left out, like the secret: what the default chain finds, such as a role of the pod.',
  AWS_SECRET_ACCESS_KEY: 'Its secret.',
  AWS_SESSION_TOKEN: 'The session, for temporary keys.',
  AWS_PROFILE: 'A profile of the shared files, in place of keys.',
  AWS_WEB_IDENTITY_TOKEN_FILE: 'A file with a service account token, for a role (IRSA).',
  AWS_ROLE_ARN: 'The role that the token is for.',
  AWS_ENDPOINT_URL: 'All APIs of AWS that have no variable of their own.',
  AWS_ENDPOINT_URL_EC2: 'The EC2 API. Left out: that of the region.',
  AWS_ENDPOINT_URL_STS:
    'The STS API, which is asked once which account the credentials are of. Left out: that of the region; where AWS_ENDPOINT_URL_EC2 is set, none is asked.',
} as const

export type Variable = keyof typeof variables
