import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { copyFile, chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { eventually } from '../eventually.ts'
import { moduleFile } from './build.ts'
import { getKubeControllerParts, getParts, type GetParts } from './parts.ts'
import { kubeControllers, recipes, recipesWith } from './recipes.ts'

let folder: string
let options: Required<Pick<GetParts, 'cache' | 'env' | 'indexUrl'>>

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'parts-'))
  await copyFile(path.join(import.meta.dirname, 'stub-go.sh'), path.join(folder, 'go'))
  await chmod(path.join(folder, 'go'), 0o755)
  const env = { PATH: `${folder}:/usr/bin:/bin`, STUB: folder }
  options = { cache: path.join(folder, 'cache'), env, indexUrl: 'http://127.0.0.1:9/unreachable' }
  vi.stubEnv('KUBEBUILDER_ASSETS', undefined)
  vi.spyOn(process.stderr, 'write').mockReturnValue(true)
})
afterEach(async () => {
  vi.unstubAllEnvs()
  execFileSync('chmod', ['-R', 'u+w', folder])
  await rm(folder, { recursive: true, force: true })
})

const everyPart = recipes.map(({ name }) => `building ${name}`)
const built = async () => (await readFile(path.join(folder, 'built'), 'utf8')).trim().split('\n')
const inCache = async () => (await readdir(options.cache)).filter((name) => name !== 'locks').sort()

describe('building', () => {
  test('makes each part once and keeps it', async () => {
    const parts = await getParts(options)

    for (const program of [parts.etcd, parts.kubeApiserver, parts.core, parts.clusterctl]) {
      expect(await readFile(program, 'utf8')).toBe('program\n')
    }
    expect(await readdir(path.join(parts.coreConfig, 'crd'))).toEqual(['one.yaml'])
    expect(await getParts(options)).toEqual(parts)
    expect(await built()).toEqual(everyPart)
  })

  test("makes Kubernetes' own controllers only where they are wanted, and once", async () => {
    await getParts(options)
    expect(await built()).toEqual(everyPart)

    const { kubeControllerManager, kubeScheduler } = await getKubeControllerParts(options)
    for (const program of [kubeControllerManager, kubeScheduler]) {
      expect(await readFile(program, 'utf8')).toBe('program\n')
    }
    await getKubeControllerParts(options)
    expect(await built()).toEqual([...everyPart, 'building kube-controller-manager', 'building kube-scheduler'])
  })

  test('keeps a copy that its owner can remove, of a module cache that is read-only', async () => {
    const { coreConfig } = await getParts(options)
    await rm(coreConfig, { recursive: true })
    expect(existsSync(coreConfig)).toBe(false)
  })

  test('is done by one process while another waits for it and says so', async () => {
    const [one, other] = [inOtherProcess(), inOtherProcess()]
    const ends = Promise.all([once(one, 'exit'), once(other, 'exit')])
    const said = await Promise.all([text(one.stderr), text(other.stderr)])

    expect(await ends).toEqual([
      [0, null],
      [0, null],
    ])
    expect(await built()).toEqual(everyPart)
    expect(said.filter((lines) => lines.includes('Building etcd'))).toHaveLength(1)
    expect(said.filter((lines) => /Waiting for process \d+, which gets the parts/.test(lines))).toHaveLength(1)
  })

  test('is taken over from a process that was killed, and its half-made part is gone', async () => {
    await writeFile(path.join(folder, 'hang'), '')
    const killed = inOtherProcess()
    await eventually('the first build runs', async () => expect(await built()).toEqual(['building etcd']))
    process.kill(-(killed.pid ?? 0), 'SIGKILL')
    await once(killed, 'exit')
    expect((await inCache()).join()).toContain('.unfinished-')
    await rm(path.join(folder, 'hang'))

    await getParts(options)
    const arch = process.arch === 'x64' ? 'amd64' : process.arch
    expect(await inCache()).toEqual(recipes.map(({ name, version }) => `${name}-${version}-${arch}`).sort())
  })

  test('that fails says what go said and leaves nothing', async () => {
    await writeFile(path.join(folder, 'refuse'), '')
    await expect(getParts(options)).rejects.toThrow('go build ended with 1:\none.go:1: it does not compile')
    expect(await inCache()).toEqual([])
  })

  test('ends when it is told to', async () => {
    await writeFile(path.join(folder, 'hang'), '')
    const stop = new AbortController()
    const getting = getParts({ ...options, signal: stop.signal })
    getting.catch(() => undefined)
    await eventually('the first build runs', async () => expect(await built()).toEqual(['building etcd']))
    stop.abort()
    await expect(getting).rejects.toThrow('aborted')
    expect(await inCache()).toEqual([])
  })

  test.each([
    {
      what: 'without go',
      env: { PATH: '/nowhere' },
      sentence: /needs Go 1\.26 or newer, but there is no go on the PATH\. Install/,
    },
    {
      what: 'with an old go',
      env: { STUB_VERSION: 'go1.25.3' },
      sentence: /needs Go 1\.26 or newer; this is go version go1\.25\.3 .*\. Install/,
    },
    {
      what: 'with an ancient go',
      env: { STUB_VERSION: 'go1.9' },
      sentence: /needs Go 1\.26 or newer; this is go version go1\.9 /,
    },
  ])('$what ends in a sentence', async ({ env, sentence }) => {
    await expect(getParts({ ...options, env: { ...options.env, ...env } })).rejects.toThrow(sentence)
    expect(await inCache()).toEqual([])
  })
})

describe('what the environment names', () => {
  test('is used instead', async () => {
    const assets = path.join(folder, 'assets')
    await mkdir(assets)
    for (const name of ['etcd', 'kube-apiserver', 'my-etcd']) await writeFile(path.join(assets, name), '')
    const env = { ...options.env, KUBEBUILDER_ASSETS: assets, TEST_ASSET_ETCD: path.join(assets, 'my-etcd') }

    const { etcd, kubeApiserver } = await getParts({ ...options, env })
    expect([etcd, kubeApiserver]).toEqual([path.join(assets, 'my-etcd'), path.join(assets, 'kube-apiserver')])
    expect(await built()).toEqual(['building cluster-api-core', 'building clusterctl'])
  })

  test('must be there', async () => {
    const env = { ...options.env, KUBEBUILDER_ASSETS: '/nowhere' }
    await expect(getParts({ ...options, env })).rejects.toThrow(
      'KUBEBUILDER_ASSETS leads to /nowhere/etcd, and there is no such file.',
    )
  })
})

describe('the official download', () => {
  test('is taken where it can be reached', async () => {
    const indexUrl = await serveRelease('right')
    const { etcd, kubeApiserver } = await getParts({ ...options, indexUrl })
    expect(await readFile(etcd, 'utf8')).toBe('official etcd')
    expect(await readFile(kubeApiserver, 'utf8')).toBe('official kube-apiserver')
    expect(await built()).toEqual(['building cluster-api-core', 'building clusterctl'])
  })

  test('is not trusted when it is not what was published', async () => {
    const indexUrl = await serveRelease('wrong')
    const { etcd } = await getParts({ ...options, indexUrl })
    expect(await readFile(etcd, 'utf8')).toBe('program\n')
    expect(await built()).toEqual(everyPart)
  })
})

test('another Cluster API is other programs in other folders of the cache, beside the same API server', () => {
  const parts = (version: string) => recipesWith(version).map((recipe) => `${recipe.name} ${recipe.version}`)
  expect(parts('1.13.6').filter((part) => !parts('1.14.2').includes(part))).toEqual([
    'cluster-api-core 1.13.6',
    'clusterctl 1.13.6',
  ])
  expect(() => recipesWith('1.9.0')).toThrow('LAB_CLUSTER_API is 1.9.0; the lab can be had with 1.14.2 or 1.13.6.')
})

test("Kubernetes' own libraries are required at their released version", () => {
  const kubernetes = recipes.find(({ name }) => name === 'kube-apiserver')
  const theirs = `module k8s.io/kubernetes

go 1.26.0

godebug default=go1.26

require (
	k8s.io/api v0.0.0
	k8s.io/utils v0.0.0-20260210185600-b8788abfbbc2
	k8s.io/kubelet v0.0.0 // indirect
)`
  for (const recipe of [kubernetes, ...kubeControllers]) {
    expect(recipe && moduleFile(recipe, theirs)).toBe(`module lab.invalid/${recipe?.name}
go 1.26.0
godebug default=go1.26
require k8s.io/kubernetes v1.36.3
replace k8s.io/api => k8s.io/api v0.36.3
replace k8s.io/kubelet => k8s.io/kubelet v0.36.3
`)
  }
})

function inOtherProcess() {
  const code = `const { getParts } = await import(${JSON.stringify(path.join(import.meta.dirname, 'parts.ts'))})
    await getParts(${JSON.stringify(options)})`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { detached: true })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

/** Serves envtest's list of releases with one archive, with its right digest or a wrong one. */
async function serveRelease(digest: 'right' | 'wrong'): Promise<string> {
  const inArchive = 'controller-tools/envtest'
  await mkdir(path.join(folder, inArchive), { recursive: true })
  for (const name of ['etcd', 'kube-apiserver', 'kubectl']) {
    await writeFile(path.join(folder, inArchive, name), `official ${name}`)
  }
  const archive = execFileSync('tar', ['-czf', '-', '-C', folder, inArchive])
  const hash = createHash('sha512').update(archive).digest('hex')
  const arch = process.arch === 'x64' ? 'amd64' : process.arch
  const server = createServer((request, response) => {
    const name = `envtest-v1.36.3-${process.platform}-${arch}.tar.gz`
    const entry = { hash: digest === 'right' ? hash : 'f'.repeat(128), selfLink: `${url}/${name}` }
    response.end(request.url === '/index' ? JSON.stringify({ releases: { 'v1.36.3': { [name]: entry } } }) : archive)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  onTestFinished(async () => {
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  })
  return `${url}/index`
}
