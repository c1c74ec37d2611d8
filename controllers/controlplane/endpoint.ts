import type { ExternalControlPlaneControlPlaneEndpoint as Endpoint } from '../../api/generated/external-control-plane.ts'

/** Where a kubeconfig's server is reached; undefined where a path leads to it, which host and port cannot say. */
export function endpointOf(server: string): Endpoint | undefined {
  const { hostname, port, pathname } = new URL(server)
  if (pathname !== '/') return undefined
  return { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? 443 : Number(port) }
}
