import type { Lab } from '../../lab/lab.ts'
import { typed } from '../../lab/processes/kubectl.ts'

/** One line of kubectl's output: the value below each heading. */
export type Printed = Readonly<Record<string, string>>

/** The output of `kubectl get cluster-api` for a namespace. */
export async function getClusterApi({ lab, namespace }: { lab: Lab; namespace: string }): Promise<Printed[]> {
  const { kubeconfig } = lab.cluster
  return printedIn(await typed(`kubectl get cluster-api --namespace ${namespace}`, { kubeconfig, folder: lab.folder }))
}

/** One table for each kind, with an empty line between them. */
function printedIn(text: string): Printed[] {
  return text.split('\n\n').flatMap((table) => {
    const [head = '', ...rows] = table.trim().split('\n')
    const headings = [...head.matchAll(/\S+( \S+)*/g)].map(({ 0: name, index }) => ({ name, index }))
    return rows.map((row) =>
      Object.fromEntries(
        headings.map(({ name, index }, at) => [name, row.slice(index, headings[at + 1]?.index).trim()]),
      ),
    )
  })
}
