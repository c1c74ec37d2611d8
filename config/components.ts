import { readFileSync } from 'node:fs'
import path from 'node:path'
import { load, loadAll } from 'js-yaml'
import type { KubeObject } from '../api/meta.ts'

/** An object that is installed. */
export type Component = KubeObject & { apiVersion: string; kind: string }

interface Kustomization {
  readonly apiVersion: string
  readonly kind: string
  readonly resources: readonly string[]
}

/** The objects that `kubectl apply -k config/default` would install. */
export const everything: string = path.join(import.meta.dirname, 'default')
/** The Deployment alone. */
export const managerAlone: string = path.join(import.meta.dirname, 'manager')

/**
 * The objects of a kustomization, in its order. It may only be a list. Patches and generators are refused, because
 * kustomize would run them and this code would not.
 */
export function componentsOf(folder: string = everything): Component[] {
  const file = path.join(folder, 'kustomization.yaml')
  const { apiVersion: _, kind: __, resources, ...rest } = load(readFileSync(file, 'utf8')) as Kustomization
  const more = Object.keys(rest)
  if (more.length > 0) throw new Error(`${file} has ${more.join(', ')}; write it into the resources themselves.`)
  return resources.flatMap((name) => {
    const place = path.join(folder, name)
    return name.endsWith('.yaml') ? (loadAll(readFileSync(place, 'utf8')) as Component[]) : componentsOf(place)
  })
}
