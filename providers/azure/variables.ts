/** The environment variables by which the manager reaches Azure. */
export const variables = {
  AZURE_SUBSCRIPTION_ID: 'The subscription of AzureClusters without spec.subscriptionID.',
  AZURE_TENANT_ID: 'The Entra ID tenant that issues the tokens.',
  AZURE_CLIENT_ID: 'The client id of the application or the managed identity of the manager.',
  AZURE_CLIENT_SECRET: 'The secret of the application.',
  AZURE_CLIENT_CERTIFICATE_PATH: 'A file with the certificate and key of the application, instead of a secret.',
  AZURE_FEDERATED_TOKEN_FILE: 'A file with a service account token (workload identity), instead of a secret.',
  AZURE_TOKEN_CREDENTIALS:
    'The credentials to try: prod (environment, workload identity, managed identity), dev (tools such as az), or one credential by name. Left out: all of them, in this order.',
  AZURE_AUTHORITY_HOST: 'The address that issues tokens. Left out: https://login.microsoftonline.com.',
  AZURE_RESOURCE_MANAGER_ENDPOINT:
    'The endpoint of Azure Resource Manager. Left out: https://management.azure.com. Plain HTTP is allowed on loopback addresses only.',
  AZURE_RESOURCE_MANAGER_AUDIENCE: 'The audience of the tokens. Left out: the endpoint of Azure Resource Manager.',
} as const

export type Variable = keyof typeof variables
export type Environment = Readonly<Partial<Record<Variable, string | undefined>>>
