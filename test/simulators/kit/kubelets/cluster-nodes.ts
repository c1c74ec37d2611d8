import type { Ctx } from '../../../../api/ctx.ts'
import { isAlreadyExists, isNotFound } from '../../../../controllers/runtime/client/api-error.ts'
import type { KubeClient } from '../../../../controllers/runtime/client/client.ts'
import type { Resource } from '../../../../api/meta.ts'
import { nodeObject, readyConditions, silentConditions, type NodeCondition, type NodeObject } from './node-object.ts'
import type { BootedMachine, NodeRegistrar } from '../instances/nodes.ts'

const nodes: Resource = { group: '', version: 'v1', plural: 'nodes', kind: 'Node', namespaced: false }

export interface ClusterNodesOptions {
  readonly client: KubeClient
  /** When its signal fires every kubelet ends, without a last word. */
  readonly ctx: Ctx
  /** How often a kubelet says that it is alive. */
  readonly heartbeatMs: number
  /** Runs the Pods of a registered machine until its signal fires. Left out: nobody does. */
  readonly pods?: { serve(node: string, life: AbortSignal): void }
  /** A real node lifecycle controller runs in this cluster, and it finds out by itself which kubelets are silent. */
  readonly lifecycleIsReal?: boolean
}

type Gone = 'gone'

/**
 * Plays the kubelets of booted machines against a real cluster: registers a Node, keeps it Ready, and, when the machine
 * ends, leaves it behind as the node lifecycle controller would, unless that runs itself. A Node that somebody has
 * deleted does not come back: a kubelet registers when it starts, and only then.
 */
export class ClusterNodes implements NodeRegistrar {
  readonly #options: ClusterNodesOptions
  readonly #kubelets = new Map<string, AbortController>()
  /** What one machine's Node is told comes to it in order, whatever the cluster's mood. */
  readonly #last = new Map<string, Promise<void>>()

  constructor(options: ClusterNodesOptions) {
    this.#options = options
  }

  started(machine: BootedMachine): void {
    const life = new AbortController()
    this.#kubelets.set(machine.providerID, life)
    const signal = AbortSignal.any([life.signal, this.#options.ctx.signal])
    this.#then(machine, () => this.#live(machine, { ...this.#options.ctx, signal }))
  }

  stopped(machine: BootedMachine): void {
    this.#kubelets.get(machine.providerID)?.abort(new Error('The machine has stopped.'))
    this.#kubelets.delete(machine.providerID)
    if (this.#options.lifecycleIsReal) return
    this.#then(machine, () => this.#fallSilent(machine, this.#options.ctx))
  }

  /** Resolves when nothing is under way any more; abort `ctx` first, or machines that run keep it for ever. */
  async settled(): Promise<void> {
    await Promise.all(this.#last.values())
  }

  #then(machine: BootedMachine, step: () => Promise<void>): void {
    const { ctx } = this.#options
    const before = this.#last.get(machine.providerID) ?? Promise.resolve()
    const after = before
      .then(step)
      .catch((error: unknown) => {
        if (!ctx.signal.aborted) ctx.log.error('A kubelet failed', { node: machine.name, error: String(error) })
      })
      .finally(() => {
        if (this.#last.get(machine.providerID) === after) this.#last.delete(machine.providerID)
      })
    this.#last.set(machine.providerID, after)
  }

  /** Ends without an error when the machine does. */
  async #live(machine: BootedMachine, ctx: Ctx): Promise<void> {
    const since = ctx.clock.now()
    try {
      await this.#untilDone(machine, ctx, () => this.#register(machine, ctx))
      this.#options.pods?.serve(machine.name, ctx.signal)
      for (;;) {
        await ctx.clock.sleep(this.#options.heartbeatMs, ctx.signal)
        const conditions = readyConditions({ now: ctx.clock.now(), since })
        if ((await this.#untilDone(machine, ctx, () => this.#report(machine, conditions, ctx))) === 'gone') return
      }
    } catch (error) {
      if (!ctx.signal.aborted) throw error
    }
  }

  async #fallSilent(machine: BootedMachine, ctx: Ctx): Promise<void> {
    const now = ctx.clock.now()
    await this.#untilDone(machine, ctx, async () => {
      const mine = await this.#mine(machine, ctx)
      return mine ? this.#report(machine, silentConditions({ now, since: now }), ctx) : 'gone'
    })
  }

  async #register(machine: BootedMachine, ctx: Ctx): Promise<void> {
    const { client } = this.#options
    try {
      await client.create(nodes, nodeObject(machine, ctx.clock.now()), ctx)
      ctx.log.info('Node registered', { node: machine.name, providerID: machine.providerID })
    } catch (error) {
      if (!isAlreadyExists(error)) throw error
      const there = await client.get<NodeObject>(nodes, { name: machine.name }, ctx)
      if (there.spec.providerID === machine.providerID) return
      // The name of a machine that is long gone: a cloud's own node controller would have removed it by now.
      await client.delete(nodes, { name: machine.name }, { uid: there.metadata.uid }, ctx)
      await client.create(nodes, nodeObject(machine, ctx.clock.now()), ctx)
    }
  }

  async #report(machine: BootedMachine, conditions: readonly NodeCondition[], ctx: Ctx): Promise<Gone | undefined> {
    const status = { metadata: { name: machine.name }, status: { conditions } }
    try {
      await this.#options.client.apply(
        nodes,
        status,
        { fieldManager: 'simulated-kubelet', force: true, subresource: 'status' },
        ctx,
      )
      return undefined
    } catch (error) {
      if (isNotFound(error)) return 'gone'
      throw error
    }
  }

  /** Whether the Node of this name is (still) this machine's. */
  async #mine(machine: BootedMachine, ctx: Ctx): Promise<boolean> {
    try {
      const { spec } = await this.#options.client.get<NodeObject>(nodes, { name: machine.name }, ctx)
      return spec.providerID === machine.providerID
    } catch (error) {
      if (isNotFound(error)) return false
      throw error
    }
  }

  /** A kubelet does not give up: while the cluster does not answer it tries again. */
  async #untilDone<T>(machine: BootedMachine, ctx: Ctx, step: () => Promise<T>): Promise<T> {
    for (let wait = 500; ; wait = Math.min(2 * wait, 10_000)) {
      try {
        return await step()
      } catch (error) {
        if (ctx.signal.aborted) throw error
        ctx.log.warn('Trying again, because the cluster did not take it', { node: machine.name, error: String(error) })
        await ctx.clock.sleep(wait, ctx.signal)
      }
    }
  }
}
