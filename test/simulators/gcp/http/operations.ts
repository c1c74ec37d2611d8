import { newId, newOperationName } from '../ids.ts'
import { pathOfInstance, type Instance } from '../instances/instance.ts'
import type { Zone } from '../world.ts'

/** Why an operation failed: nothing stands in an answer with another status than 200. */
export interface OperationError {
  readonly code: string
  readonly message: string
  readonly status: number
  readonly details?: readonly object[]
  /** What could not be started is stopped, and not taken away. */
  readonly leaves?: boolean
}

export interface Operation {
  readonly id: string
  readonly name: string
  readonly zone: Zone
  readonly type: string
  readonly user: string
  /** `projects/…` */
  readonly target: string
  readonly targetId: string
  readonly requestId: string | undefined
  readonly insertedAt: number
  endedAt: number | undefined
  error: OperationError | undefined
}

interface Beginning {
  readonly type: string
  readonly zone: Zone
  readonly user: string
  readonly target: string
  readonly targetId: string
  readonly requestId?: string | undefined
}

/** GCE keeps operations for two weeks and more; a day is enough here. */
const lifeMs = 24 * 3_600_000

/** All operations of the project. */
export class Operations {
  readonly #project: string
  readonly #byName = new Map<string, Operation>()
  readonly #byRequest = new Map<string, Operation>()
  readonly #waiting = new Map<Operation, Set<() => void>>()
  #forgotAt = 0

  constructor(project: string) {
    this.#project = project
  }

  get all(): readonly Operation[] {
    return [...this.#byName.values()]
  }

  find(zone: string, nameOrId: string): Operation | undefined {
    const found = this.#byName.get(nameOrId) ?? this.#byName.values().find(({ id }) => id === nameOrId)
    return found?.zone.name === zone ? found : undefined
  }

  /** What came of the same request before. `call`: the name of the call and where it goes. */
  ofRequest(call: string, requestId: string | undefined, now: number): Operation | undefined {
    this.#forget(now)
    return requestId === undefined ? undefined : this.#byRequest.get(`${call} ${requestId.toLowerCase()}`)
  }

  begin(beginning: Beginning, call: string, now: number): Operation {
    const operation = this.#add(beginning, 'operation', now)
    if (operation.requestId !== undefined) {
      this.#byRequest.set(`${call} ${operation.requestId.toLowerCase()}`, operation)
    }
    return operation
  }

  /** What GCE does by itself, such as taking an instance back: it is over when it is seen. */
  record(type: string, instance: Instance, now: number): Operation {
    const beginning = {
      type,
      zone: instance.plan.zone,
      user: 'system',
      target: pathOfInstance(instance, this.#project),
      targetId: instance.id,
    }
    const operation = this.#add(beginning, 'systemevent', now)
    operation.endedAt = now
    return operation
  }

  end(operation: Operation, now: number, error?: OperationError): void {
    if (operation.endedAt !== undefined) return
    operation.endedAt = now
    operation.error = error
    for (const tell of this.#waiting.get(operation) ?? []) tell()
    this.#waiting.delete(operation)
  }

  /** Calls when the operation ends; the answer cancels it. */
  whenEnded(operation: Operation, tell: () => void): () => void {
    const waiting = this.#waiting.get(operation) ?? new Set()
    this.#waiting.set(operation, waiting.add(tell))
    return () => waiting.delete(tell)
  }

  #add({ requestId, ...beginning }: Beginning, prefix: 'operation' | 'systemevent', now: number): Operation {
    this.#forget(now)
    const operation: Operation = {
      ...beginning,
      id: newId(),
      name: newOperationName(prefix, now),
      requestId,
      insertedAt: now,
      endedAt: undefined,
      error: undefined,
    }
    this.#byName.set(operation.name, operation)
    return operation
  }

  #forget(now: number): void {
    if (now - this.#forgotAt < 60_000) return
    this.#forgotAt = now
    const isOld = ({ endedAt }: Operation) => endedAt !== undefined && now - endedAt > lifeMs
    for (const [name, operation] of this.#byName) if (isOld(operation)) this.#byName.delete(name)
    for (const [request, operation] of this.#byRequest) if (isOld(operation)) this.#byRequest.delete(request)
  }
}
