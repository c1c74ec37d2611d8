import type { ExternalControlPlaneControlPlaneEndpoint as Endpoint } from '../../api/generated/external-control-plane.ts'

/** Host and port of a kubeconfig's server. Undefined for a server with a path, which host and port cannot express. */
export function endpointOf(server: string): Endpoint | undefined {
  const { hostname, port, pathname } = new URL(server)
  if (pathname !== '/') return undefined
  return { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? 443 : Number(port) }
}
