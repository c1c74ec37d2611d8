import {
  DescribeImagesCommand,
  DescribeInstancesCommand,
  RunInstancesCommand,
  TerminateInstancesCommand,
  type EC2Client,
  type Filter,
  type Reservation,
} from '@aws-sdk/client-ec2'
import type { Ctx } from '../../api/ctx.ts'
import { CloudError } from '../errors.ts'
import type { Instance, InstancePage, InstanceRef, Instances, Launch, Ownership, Scope } from '../instances.ts'
import { isOwnedBy } from '../ownership.ts'
import type { Ec2Clients } from './client.ts'
import { toCloudError } from './errors.ts'
import { ownerTag } from './ownership.ts'
import { runInstances, type AwsRequest } from './request.ts'
import { toInstance } from './state.ts'

/** EC2 behind the seam. What the seam promises is written there; here stands only how EC2 is brought to keep it. */
export class AwsInstances implements Instances {
  #clients: Ec2Clients
  /** Root device of an image: a fact that never changes for an image id. */
  #rootDevices = new Map<string, string>()

  constructor(clients: Ec2Clients) {
    this.#clients = clients
  }

  async create(want: Launch, ctx: Ctx): Promise<Instance> {
    const ec2 = this.#clients.for(want.scope)
    const rootDevice = await this.#rootDevice(want, ctx)
    try {
      const input = runInstances(want, rootDevice)
      const answer = await ec2.send(new RunInstancesCommand(input), { abortSignal: ctx.signal })
      const [created] = instancesOf([answer])
      if (created) return created
    } catch (thrown) {
      const error = toCloudError(thrown)
      if (error.code !== 'IdempotentParameterMismatch') throw error
      return adopt(ec2, { want, because: error, ctx })
    }
    throw new CloudError('ambiguous', {
      code: 'EmptyAnswer',
      message: 'EC2 answered RunInstances without an instance.',
    })
  }

  async find(which: InstanceRef, ctx: Ctx): Promise<Instance | 'absent' | 'unknown'> {
    const ec2 = this.#clients.for(which.scope)
    const found = await describe(ec2, filterFor(which), ctx)
    return found.find((instance) => isOwnedBy(instance, which)) ?? found[0] ?? 'absent'
  }

  async *list(scope: Scope, ctx: Ctx): AsyncIterable<InstancePage> {
    const ec2 = this.#clients.for(scope)
    let token: string | undefined
    do {
      const answer = await send(() =>
        ec2.send(
          new DescribeInstancesCommand({
            // One list for all clusters of the scope. Never without a filter: EC2 has a smaller bucket for those.
            Filters: [{ Name: 'tag-key', Values: [ownerTag] }],
            MaxResults: 1000,
            ...(token ? { NextToken: token } : {}),
          }),
          { abortSignal: ctx.signal },
        ),
      )
      token = answer.NextToken
      yield { items: instancesOf(answer.Reservations ?? []), complete: !token }
    } while (token)
  }

  async terminate(which: InstanceRef, ctx: Ctx): Promise<'gone' | 'going'> {
    const found = await this.find(which, ctx)
    if (found === 'absent') return 'gone'
    if (found === 'unknown') return 'going'
    if (!isOwnedBy(found, which)) throw notOurs(found.id, which)
    if (found.state === 'terminated') return 'gone'
    if (found.state === 'terminating') return 'going'
    const ec2 = this.#clients.for(which.scope)
    const command = new TerminateInstancesCommand({ InstanceIds: [found.id] })
    try {
      await ec2.send(command, { abortSignal: ctx.signal })
    } catch (thrown) {
      const error = toCloudError(thrown)
      if (error.kind !== 'missing') throw error
    }
    return 'going'
  }

  /** Only a root volume that names no device costs this call, and once an image. */
  async #rootDevice(want: Launch, ctx: Ctx): Promise<string | undefined> {
    const { rootVolume, imageId } = want.request as AwsRequest
    if (!rootVolume) return undefined
    const known = rootVolume.deviceName ?? this.#rootDevices.get(imageId)
    if (known) return known
    const ec2 = this.#clients.for(want.scope)
    const command = new DescribeImagesCommand({ ImageIds: [imageId] })
    const answer = await send(() => ec2.send(command, { abortSignal: ctx.signal }))
    const device = answer.Images?.[0]?.RootDeviceName
    if (!device) {
      const message = `Image ${imageId} names no root device: set spec.rootVolume.deviceName.`
      throw new CloudError('invalid', { code: 'NoRootDevice', message })
    }
    this.#rootDevices.set(imageId, device)
    return device
  }
}

/** The token was used before with other parameters, so its instance exists: it is ours, or nobody's to take. */
async function adopt(ec2: EC2Client, from: { want: Launch; because: CloudError; ctx: Ctx }): Promise<Instance> {
  const { want, because, ctx } = from
  const [found] = await describe(ec2, [{ Name: 'client-token', Values: [want.token] }], ctx)
  if (!found) throw new CloudError('ambiguous', { code: because.code, message: because.message, cause: because })
  if (!isOwnedBy(found, want)) throw notOurs(found.id, want)
  return found
}

function filterFor({ id, token }: InstanceRef): Filter[] {
  // By filter and not by InstanceIds: an unknown id is then an empty answer instead of an error.
  return id ? [{ Name: 'instance-id', Values: [id] }] : [{ Name: 'client-token', Values: [token] }]
}

async function describe(ec2: EC2Client, Filters: Filter[], ctx: Ctx): Promise<Instance[]> {
  const command = new DescribeInstancesCommand({ Filters })
  const answer = await send(() => ec2.send(command, { abortSignal: ctx.signal }))
  return instancesOf(answer.Reservations ?? [])
}

function instancesOf(reservations: readonly Pick<Reservation, 'Instances'>[]): Instance[] {
  return reservations.flatMap(({ Instances }) => Instances ?? []).map(toInstance)
}

function notOurs(id: string, { machine }: Ownership): CloudError {
  const message = `Instance ${id} does not carry the owner id and the attempt of ${machine}; it is left alone.`
  return new CloudError('conflict', { code: 'NotOurs', message })
}

async function send<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (thrown) {
    throw toCloudError(thrown)
  }
}
