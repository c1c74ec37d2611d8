export interface Requests {
  readonly all: number
  readonly conflicts: number
}

/** The requests of the manager to the API server so far, as its metrics tell. */
export async function apiserverRequests(metricsPort: number): Promise<Requests> {
  const page = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  let [all, conflicts] = [0, 0]
  for (const [, code, count] of page.matchAll(/^capspot_apiserver_requests_total\{.*code="([^"]*)".*\} (\S+)$/gm)) {
    all += Number(count)
    if (code === '409' || code === '422') conflicts += Number(count)
  }
  return { all, conflicts }
}
