/** The environment variables by which the manager reaches EC2: those of every AWS SDK. */
export const variables = {
  AWS_ACCESS_KEY_ID:
    'The access key. Without key and secret, the manager uses the default credential chain, such as a role of the pod.',
  AWS_SECRET_ACCESS_KEY: 'The secret access key.',
  AWS_SESSION_TOKEN: 'The session token of temporary keys.',
  AWS_PROFILE: 'A profile of the shared configuration files, instead of keys.',
  AWS_WEB_IDENTITY_TOKEN_FILE: 'A file with a service account token, for a role (IRSA).',
  AWS_ROLE_ARN: 'The role to assume with that token.',
  AWS_ENDPOINT_URL: 'The endpoint of all AWS APIs without their own variable.',
  AWS_ENDPOINT_URL_EC2: 'The endpoint of EC2. Left out: the endpoint of the region.',
  AWS_ENDPOINT_URL_STS:
    'The endpoint of STS, which tells the account of the credentials. Left out: the endpoint of the region. If only AWS_ENDPOINT_URL_EC2 is set, the manager does not call STS.',
  AWS_ENDPOINT_URL_SQS:
    'The endpoint of the queues in --aws-interruption-queues. Left out: the endpoint of the region that the URL names.',
} as const

export type Variable = keyof typeof variables
