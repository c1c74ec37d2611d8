/** The variables of the manager's environment by which Azure is reached, each with what it is for. */
export const variables = {
  AZURE_SUBSCRIPTION_ID: 'The subscription of AzureClusters that name none in spec.subscriptionID.',
  AZURE_TENANT_ID: 'The Entra ID tenant that gives out tokens.',
  AZURE_CLIENT_ID: 'The application, or the managed identity, that the manager acts as.',
  AZURE_CLIENT_SECRET: "The application's secret.",
  AZURE_CLIENT_CERTIFICATE_PATH: "The application's certificate with its key, in place of a secret.",
  AZURE_FEDERATED_TOKEN_FILE: 'A file with a service account token, in place of a secret: workload identity.',
  AZURE_TOKEN_CREDENTIALS:
    'Which ways to get a token are tried: prod (environment, workload identity, managed identity), dev (az and the like), or the name of one. Left out: all, in this order.',
  AZURE_AUTHORITY_HOST: 'The address that issues tokens. Left out: https://login.microsoftonline.com.',
  AZURE_RESOURCE_MANAGER_ENDPOINT:
    "Azure's API. Left out: https://management.azure.com. Plain HTTP is taken on a loopback address only.",
  AZURE_RESOURCE_MANAGER_AUDIENCE: 'The audience of the tokens. Left out: the endpoint.',
} as const

export type Variable = keyof typeof variables
export type Environment = Readonly<Partial<Record<Variable, string | undefined>>>
