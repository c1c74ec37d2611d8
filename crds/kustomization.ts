import type { Rendered } from './render.ts'

export const kustomization = 'crds/kustomization.yaml'

/** The list of CRDs for `kubectl apply -k` and the release, because a kustomization cannot name a folder of files. */
export function renderKustomization(kinds: readonly string[]): Rendered {
  const head = [
    '# Made by `npm run generate`. Edits here are lost.',
    'apiVersion: kustomize.config.k8s.io/v1beta1',
    'kind: Kustomization',
    'resources:',
  ]
  return { path: kustomization, text: [...head, ...kinds.map((kind) => `  - ${kind}.yaml`), ''].join('\n') }
}
