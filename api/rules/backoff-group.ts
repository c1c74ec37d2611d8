/**
 * What one Cluster remembers, for the Machines of one policy, of one thing that can fail for many machines alike: an
 * offering of the cloud, a quota, a machine template. While it fails, one machine at a time tries it, after pauses that
 * double; when one succeeds two more may try, soon after that four, and so on: capacity often returns gradually. These
 * are facts only. When somebody may try again is computed from them, by the pace of whoever waits. Times are
 * milliseconds since the epoch, for they outlive the process.
 */
export interface BackoffGroup {
  /** How many steps there were: failures of one step count once, however many machines they hit. */
  readonly failures: number
  /** The failure that began the step. */
  readonly failedAt: number
  /** A try since then ended without telling anything: its machine was placed elsewhere. The pause begins anew. */
  readonly missedAt?: number
  /** The one machine that was let go since, and when. */
  readonly probe?: Probe
  /** Somebody got through since, and began to serve then. */
  readonly openedAt?: number
  /** How many were let go since it opened. */
  readonly released?: number
}

export interface Probe {
  /** `namespace/name` of the Machine whose replacement tries it. */
  readonly machine: string
  /** Of whose machines it was one: `namespace/name` of a MachineDeployment or MachineSet. */
  readonly owner: string
  readonly at: number
}

export interface Pace {
  readonly initialMs: number
  readonly maxMs: number
  /** Who serves for so long has proven that the failures before are over. */
  readonly minHealthyMs: number
  /** How long nothing may be heard of a probe before another is let go. */
  readonly patienceMs: number
}

export interface GroupFailure {
  readonly at: number
  /** A machine that came up and ended soon after: that others come up says nothing against it. */
  readonly cameUp: boolean
}

/** How long a pause is after so many steps. */
export function pauseMs(failures: number, { initialMs, maxMs }: Pace): number {
  return Math.min(maxMs, initialMs * 2 ** Math.min(30, failures - 1))
}

/** Nobody who goes by this pace tries before. Of a group that is open, since then. */
export function pauseEndsAt({ failures, failedAt, missedAt = 0, openedAt }: BackoffGroup, pace: Pace): number {
  return openedAt ?? Math.max(failedAt, missedAt) + pauseMs(failures, pace)
}

/** The same failure may be told any number of times. */
export function afterFailure(group: BackoffGroup | undefined, { at, cameUp }: GroupFailure, pace: Pace): BackoffGroup {
  if (group && at < (group.openedAt === undefined ? pauseEndsAt(group, pace) : group.openedAt + 1)) return group
  const startsAnew = !group || (group.openedAt !== undefined && !cameUp)
  return { failures: startsAnew ? 1 : group.failures + 1, failedAt: at }
}

/**
 * A machine that was asked for after the failure, and serves since `at`. One that was asked for later than it serves
 * was asked for by another clock, and proves nothing.
 */
export function afterSuccess(
  group: BackoffGroup,
  { requestedAt, at }: { requestedAt: number; at: number },
): BackoffGroup {
  if (requestedAt <= group.failedAt || at <= group.failedAt || group.openedAt !== undefined) return group
  const { failures, failedAt } = group
  return { failures, failedAt, openedAt: at, released: 0 }
}

/** Of a group that is open: two at once, and twice as many whenever the time of a wave is over. */
export function mayFollow({ openedAt = 0, released = 0 }: BackoffGroup, now: number, pace: Pace): number {
  const waves = Math.min(wavesUntilAll, Math.floor((now - openedAt) / waveMs(pace)))
  return Math.max(0, 2 ** (waves + 1) - released)
}

export function nextWaveAt({ openedAt = 0 }: BackoffGroup, now: number, pace: Pace): number {
  return openedAt + waveMs(pace) * (Math.floor((now - openedAt) / waveMs(pace)) + 1)
}

export function afterWave(group: BackoffGroup, size: number): BackoffGroup {
  return { ...group, released: (group.released ?? 0) + size }
}

/** Most clouds refuse within this time; a refusal closes the group, and the next wave does not go. */
function waveMs({ initialMs }: Pace): number {
  return Math.min(15_000, initialMs)
}

/** More than a thousand at once are as good as all. */
const wavesUntilAll = 10

export function afterRelease(group: BackoffGroup, probe: Probe): BackoffGroup {
  return { ...group, probe }
}

/**
 * The replacement was placed elsewhere, in another zone perhaps, so that nobody knows more about this group. Where it
 * was served the next may follow it at once; else the pause begins anew, and does not grow.
 */
export function afterMiss(group: BackoffGroup, { served, now }: { served: boolean; now: number }): BackoffGroup {
  const { probe: _, ...rest } = group
  return served ? rest : { ...rest, missedAt: wholeSecond(now) }
}

/**
 * As a clock reads it that is behind the one it was written by: another leader's, or this one since it was put right.
 * The last thing that it tells of has just been; else a group that opened "later" would take no failure for one, and all
 * its machines would be tried again at once until then.
 */
export function clampToNow(group: BackoffGroup, now: number): BackoffGroup {
  const { failedAt, missedAt, probe, openedAt } = group
  const aheadMs = Math.max(failedAt, missedAt ?? 0, probe?.at ?? 0, openedAt ?? 0) - now
  if (aheadMs <= 0) return group
  const back = (at: number) => at - Math.ceil(aheadMs / 1000) * 1000
  return {
    ...group,
    failedAt: back(failedAt),
    ...(missedAt === undefined ? {} : { missedAt: back(missedAt) }),
    ...(probe ? { probe: { ...probe, at: back(probe.at) } } : {}),
    ...(openedAt === undefined ? {} : { openedAt: back(openedAt) }),
  }
}

/** Nothing that it says is of use any more: it has been open for long, or nobody has asked for very long. */
export function isForgotten(group: BackoffGroup, now: number, pace: Pace): boolean {
  if (group.openedAt !== undefined)
    return now - group.openedAt >= Math.max(pace.minHealthyMs, wavesUntilAll * waveMs(pace))
  return now >= Math.max(pauseEndsAt(group, pace), group.probe?.at ?? 0) + 2 * pace.maxMs + pace.patienceMs
}

export function isProbed({ probe }: BackoffGroup, now: number, { patienceMs }: Pace): boolean {
  return probe !== undefined && now < probe.at + patienceMs
}

/** As the times in conditions and attempts are, with which it is compared. */
export function wholeSecond(ms: number): number {
  return Math.floor(ms / 1000) * 1000
}
