/** The environment variables by which the manager reaches IBM Cloud. */
export const variables = {
  IBMCLOUD_API_KEY: 'The API key of a service id with permissions for VPC.',
  IBMCLOUD_VPC_API_ENDPOINT:
    'The endpoint of the VPC API, with or without /v1. Left out: the endpoint of the region. Plain HTTP is allowed on loopback addresses only.',
  IBMCLOUD_IAM_API_ENDPOINT:
    'The address that issues tokens. Left out: https://iam.cloud.ibm.com. Plain HTTP is allowed on loopback addresses only.',
} as const

export type Variable = keyof typeof variables
