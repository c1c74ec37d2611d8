import type { Clock } from '../../../api/ctx.ts'
import type { Spoils } from '../kit/faults/spoils.ts'
import type { Behaviour } from './control/behaviour.ts'
import type { Buckets } from './http/buckets.ts'
import type { FloatingIps } from './instances/floating-ips.ts'
import type { Instances } from './instances/instances.ts'
import type { VirtualInterfaces } from './instances/interfaces.ts'
import type { Lifecycle } from './instances/lifecycle.ts'
import type { AddressPools } from '../kit/supply/addresses.ts'
import type { PlatformLogs } from './instances/platform-logs.ts'
import type { Quotas } from './supply/quotas.ts'
import type { Reservations } from './supply/reservations.ts'
import type { VpcSight } from './instances/sight.ts'
import type { Supply } from './supply/supply.ts'
import type { Tokens } from './http/tokens.ts'
import type { Volumes } from './instances/volumes.ts'
import type { World } from './world.ts'

/** All that an action may look at and change. */
export interface Account {
  readonly world: World
  readonly tokens: Tokens
  readonly instances: Instances
  /** How instances look to whoever asks for them. */
  readonly sight: VpcSight
  readonly lifecycle: Lifecycle
  readonly volumes: Volumes
  readonly interfaces: VirtualInterfaces
  readonly floatingIps: FloatingIps
  /** The addresses of all subnets. */
  readonly networks: AddressPools
  readonly supply: Supply
  readonly reservations: Reservations
  readonly logs: PlatformLogs
  readonly buckets: Buckets
  readonly spoils: Spoils
  readonly clock: Clock
  /** What a person or a test may change while it runs. */
  readonly switches: Switches
}

export interface Switches {
  behaviour: Behaviour
  quotas: Quotas
  /**
   * What a refusal with 429 or 503 says in its header Retry-After; undefined: one second with 429, nothing with 503.
   */
  retryAfter: string | undefined
}
