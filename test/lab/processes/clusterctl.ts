import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { dump } from 'js-yaml'
import { writeRelease } from '../../../scripts/release.ts'
import type { InstallTarget } from '../install.ts'
import { readManifests, type Manifest } from '../objects.ts'
import { clusterApiVersion } from '../parts/recipes.ts'

const run = promisify(execFile)
const patienceMs = 300_000
const certManagerVersion = 'v1.21.1'

/** The real clusterctl. It reads from a folder of this lab instead of the network. */
export class Clusterctl {
  /** One folder for each provider, one in it for each version. */
  readonly #repository: string
  readonly #program: string
  readonly #config: string
  readonly #kubeconfig: string
  readonly #home: string

  private constructor({ parts, kubeconfig, folder }: InstallTarget) {
    this.#repository = path.join(folder, 'repository')
    this.#program = parts.clusterctl
    this.#config = path.join(folder, 'clusterctl.yaml')
    this.#kubeconfig = kubeconfig
    this.#home = folder
  }

  /** With a repository that holds core, cert-manager and `version` of our provider. */
  static async offline(target: InstallTarget, version: string): Promise<Clusterctl> {
    const clusterctl = new Clusterctl(target)
    await clusterctl.#fill(target, version)
    return clusterctl
  }

  /** The same, and has installed it as users do: one way to install Cluster API and our provider. */
  static async installed(target: InstallTarget, version: string): Promise<Clusterctl> {
    const clusterctl = await Clusterctl.offline(target, version)
    await clusterctl.run(['init', '--infrastructure', 'spot', '--bootstrap', '-', '--control-plane', '-'])
    return clusterctl
  }

  /** Returns its stdout. An error has its stderr. */
  async run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
    const offline = { CLUSTERCTL_DISABLE_VERSIONCHECK: 'true', GOPROXY: 'off' }
    const { stdout } = await run(this.#program, [...args, '--config', this.#config], {
      // No variables of this computer, because they could get into a template.
      env: { HOME: this.#home, XDG_CONFIG_HOME: this.#home, KUBECONFIG: this.#kubeconfig, ...offline, ...env },
      timeout: patienceMs,
      maxBuffer: 16 * 1024 * 1024,
    })
    return stdout
  }

  /** Adds a release of our provider to the repository. */
  async offer(version: string): Promise<void> {
    await writeRelease({ version }, this.#repository)
  }

  async #fill({ parts: { coreConfig } }: InstallTarget, version: string): Promise<void> {
    const core = `v${clusterApiVersion}`
    await this.#write(['cluster-api', core, 'core-components.yaml'], await coreComponents(coreConfig))
    await this.#write(['cluster-api', core, 'metadata.yaml'], [metadataOf(clusterApiVersion)])
    await this.#write(['cert-manager', certManagerVersion, 'cert-manager.yaml'], certManagerKinds)
    await this.offer(version)
    const providers = [
      { name: 'cluster-api', type: 'CoreProvider', url: this.#url('cluster-api', core, 'core-components.yaml') },
      {
        name: 'spot',
        type: 'InfrastructureProvider',
        url: this.#url('infrastructure-spot', version, 'infrastructure-components.yaml'),
      },
    ]
    const url = this.#url('cert-manager', certManagerVersion, 'cert-manager.yaml')
    await writeFile(this.#config, dump({ providers, 'cert-manager': { url, version: certManagerVersion } }))
  }

  #url(...names: string[]): string {
    return `file://${path.join(this.#repository, ...names)}`
  }

  async #write(names: readonly string[], objects: readonly object[]): Promise<void> {
    const file = path.join(this.#repository, ...names)
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(file, objects.map((object) => dump(object, { noRefs: true })).join('---\n'))
  }
}

/**
 * The parts of core for an API server: its namespace and kinds. The Deployment is left out, and the webhooks lead to
 * the process of the lab, which has the rights of core's own roles.
 */
async function coreComponents(coreConfig: string): Promise<Manifest[]> {
  const definitions = await readManifests(path.join(coreConfig, 'crd', 'bases'))
  const labels = { 'cluster.x-k8s.io/provider': 'cluster-api' }
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'capi-system', labels } },
    ...definitions.map((definition) => ({ ...definition, metadata: { ...definition.metadata, labels } })),
  ]
}

function metadataOf(version: string): object {
  const [major, minor] = version.split('.').map(Number)
  const releaseSeries = [{ major, minor, contract: 'v1beta2' }]
  return { apiVersion: 'clusterctl.cluster.x-k8s.io/v1alpha3', kind: 'Metadata', releaseSeries }
}

/**
 * clusterctl requires cert-manager: it installs it, and tests it with an Issuer and a Certificate. Nothing here needs a
 * certificate, and our provider has no webhook, so the kinds are enough.
 */
const certManagerKinds: readonly Manifest[] = ['Issuer', 'Certificate'].map((kind) => {
  const [singular, group] = [kind.toLowerCase(), 'cert-manager.io']
  const openAPIV3Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${singular}s.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind, listKind: `${kind}List`, plural: `${singular}s`, singular },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  }
})
