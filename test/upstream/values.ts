/** What a person would fill in, by the names of the variables; the first that fits counts. */
const plausible: readonly (readonly [RegExp, string])[] = [
  [/^AWS_.*MACHINE_TYPE/, 'm5.large'],
  [/^AZURE_.*MACHINE_TYPE/, 'Standard_D2s_v3'],
  [/^GCP_.*MACHINE_TYPE/, 'n1-standard-2'],
  [/^IBMVPC_PROFILE/, 'bx2-4x16'],
  [/^IBMVPC_ZONE/, 'us-south-1'],
  [/SUBSCRIPTION_ID|TENANT_ID|CLIENT_ID/, '5be0c1a0-0000-4000-8000-000000000001'],
  [/^IMAGE_ID|KUBERNETES_IMAGE_UPGRADE/, 'projects/my-project/global/images/my-image'],
  [/KUBERNETES_VERSION|CI_VERSION/, 'v1.33.1'],
  [/FLATCAR_VERSION/, '3510.2.1'],
  [/AZL3_VERSION|GALLERY_VERSION/, '1.33.2'],
  [/HOST_ID/, 'h-0123456789abcdef0'],
  [/HOST_AFFINITY/, 'host'],
  [/COUNT|SIZEGIB/, '20'],
  [/SSH_PUBLIC_KEY/, ''],
]

/** The innermost variable of a template, with its default: `${NAME}`, `${NAME:=default}`, `${NAME#prefix}`. */
const innermost = /\$\{(?<name>\w+)(?:(?::?[-=])(?<fallback>[^${}]*))?(?:[#%/][^{}]*)?\}/g

/** Every variable replaced by its default, else by something that a person could have filled in. */
export function filledIn(text: string): string {
  // The templates of two clouds have a variable of this name.
  const image = text.includes('kind: AWSMachine') ? 'ami-0123456789abcdef0' : undefined
  const valueOf = (name: string) => (name === 'IMAGE_ID' && image ? image : usual(name))
  for (let now = text; ;) {
    const next = now.replaceAll(innermost, (_, name: string, fallback?: string) => fallback ?? valueOf(name))
    if (next === now) return next
    now = next
  }
}

function usual(name: string): string {
  return plausible.find(([pattern]) => pattern.test(name))?.[1] ?? 'my-value'
}
