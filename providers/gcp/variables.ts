/** The environment variables by which the manager reaches Google Cloud. */
export const variables = {
  GOOGLE_APPLICATION_CREDENTIALS:
    'The file with the credentials: a key of a service account, or a configuration of workload identity federation. Left out: the credentials that gcloud stored, else the service account of the pod or the machine.',
  CLOUDSDK_API_ENDPOINT_OVERRIDES_COMPUTE:
    'The endpoint of Compute Engine. Left out: https://compute.googleapis.com/compute/v1/. Plain HTTP is allowed on loopback addresses only.',
} as const

/** The values of these variables. */
export type Environment = { readonly [Name in keyof typeof variables]?: string | undefined }
