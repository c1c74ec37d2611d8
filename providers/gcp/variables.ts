/** The variables of the manager's environment by which Google Cloud is reached, each with what it is for. */
export const variables = {
  GOOGLE_APPLICATION_CREDENTIALS:
    "The file with the credentials: a service account's key, or a configuration of workload identity federation. Without it: what gcloud has stored for the user, else the service account of the pod or the machine.",
  CLOUDSDK_API_ENDPOINT_OVERRIDES_COMPUTE:
    'The address of Compute Engine; https://compute.googleapis.com/compute/v1/ without it. Plain http is for loopback addresses only.',
} as const

/** The values of these variables. */
export type Environment = { readonly [Name in keyof typeof variables]?: string | undefined }
