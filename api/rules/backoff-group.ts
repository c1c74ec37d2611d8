/**
 * The backoff that Machines share because they fail for the same cause: an offering of the cloud, a quota or a machine
 * template. Each Cluster has its own for each policy. While the cause lasts, one machine at a time tries, after pauses
 * that double. When one succeeds, two more may try, soon after that four, and so on, because capacity often returns
 * gradually. A group holds facts only: the terms of the policy turn them into the time of the next try. Times are
 * milliseconds since the epoch, because they outlive the process.
 */
export interface BackoffGroup {
  /** Failures that made the pause longer. Failures during one pause count once, however many machines they hit. */
  readonly failures: number
  /** The failure that began the pause. */
  readonly failedAt: number
  /**
   * The cloud has refused nothing since the pause began: an instance came up, and ended soon. That holds back no
   * launch, only the replacement of those that failed.
   */
  readonly cameUp?: true
  /** When a try ended without a result, because its machine was placed elsewhere. The pause begins again. */
  readonly missedAt?: number
  /** The one machine that was admitted since, and when. */
  readonly probe?: Probe
  /** When a machine that was requested after the failure began to run. */
  readonly openedAt?: number
  /** How many machines were admitted since it opened. */
  readonly released?: number
}

export interface Probe {
  /** `namespace/name` of the Machine whose replacement is the try. */
  readonly machine: string
  /** The MachineDeployment or MachineSet of that Machine, as `kind namespace/name`. */
  readonly owner: string
  readonly at: number
}

export interface BackoffTerms {
  readonly initialMs: number
  readonly maxMs: number
  /** A machine that runs this long proves that the failures before it are over. */
  readonly minHealthyMs: number
  /** How long a probe may stay without a result before another machine is admitted. */
  readonly patienceMs: number
}

export interface GroupFailure {
  readonly at: number
  /** The machine came up and ended soon after. So machines that come up do not disprove the failure. */
  readonly cameUp: boolean
}

/** The pause after this number of failures. */
export function pauseMs(failures: number, { initialMs, maxMs }: BackoffTerms): number {
  return Math.min(maxMs, initialMs * 2 ** Math.min(30, failures - 1))
}

/** No machine with these terms tries before this time. For an open group it is the time of the opening. */
export function pauseEndsAt({ failures, failedAt, missedAt = 0, openedAt }: BackoffGroup, terms: BackoffTerms): number {
  return openedAt ?? Math.max(failedAt, missedAt) + pauseMs(failures, terms)
}

/** Idempotent: the same failure may be passed any number of times. */
export function afterFailure(
  group: BackoffGroup | undefined,
  { at, cameUp }: GroupFailure,
  terms: BackoffTerms,
): BackoffGroup {
  if (group && at < (group.openedAt === undefined ? pauseEndsAt(group, terms) : group.openedAt + 1)) {
    return cameUp || at < group.failedAt || group.openedAt !== undefined ? group : refusedToo(group)
  }
  const startsAnew = !group || (group.openedAt !== undefined && !cameUp)
  return { failures: startsAnew ? 1 : group.failures + 1, failedAt: at, ...(cameUp ? { cameUp } : {}) }
}

/** The pause is as long as before, but launches wait for it now. */
function refusedToo(group: BackoffGroup): BackoffGroup {
  const { cameUp, ...refused } = group
  return cameUp ? refused : group
}

/**
 * A machine that was requested after the failure runs since `at`. If it runs since before it was requested, the two
 * times come from different clocks and prove nothing.
 */
export function afterSuccess(
  group: BackoffGroup,
  { requestedAt, at }: { requestedAt: number; at: number },
): BackoffGroup {
  if (requestedAt <= group.failedAt || at <= group.failedAt || group.openedAt !== undefined) return group
  const { failures, failedAt, cameUp } = group
  return { failures, failedAt, ...(cameUp ? { cameUp } : {}), openedAt: at, released: 0 }
}

/** How many more may try in an open group: two at once, and twice as many with each wave. */
export function mayFollow({ openedAt = 0, released = 0 }: BackoffGroup, now: number, terms: BackoffTerms): number {
  const waves = Math.min(wavesUntilAll, Math.floor((now - openedAt) / waveMs(terms)))
  return Math.max(0, 2 ** (waves + 1) - released)
}

export function nextWaveAt({ openedAt = 0 }: BackoffGroup, now: number, terms: BackoffTerms): number {
  return openedAt + waveMs(terms) * (Math.floor((now - openedAt) / waveMs(terms)) + 1)
}

export function afterWave(group: BackoffGroup, size: number): BackoffGroup {
  return { ...group, released: (group.released ?? 0) + size }
}

/** Most clouds refuse within this time. A refusal closes the group, so that the next wave does not start. */
export function waveMs({ initialMs }: BackoffTerms): number {
  return Math.min(15_000, initialMs)
}

/** More than a thousand at once count as all. */
const wavesUntilAll = 10

export function afterRelease(group: BackoffGroup, probe: Probe): BackoffGroup {
  return { ...group, probe }
}

/**
 * The replacement was placed elsewhere, perhaps in another zone, so it says nothing about this group. If it runs, the
 * next machine may try at once. Otherwise the pause begins again, and does not grow.
 */
export function afterMiss(group: BackoffGroup, { served, now }: { served: boolean; now: number }): BackoffGroup {
  const { probe: _, ...rest } = group
  return served ? rest : { ...rest, missedAt: wholeSecond(now) }
}

/**
 * Corrects a group that was written by a clock ahead of ours: another leader's, or this one before it was set back. All
 * times move back, so that the newest is now. Otherwise a group that opened "later" would ignore failures, and all its
 * machines would try at once until then.
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

/** The group is of no use any more: it has been open for long, or no machine has tried for very long. */
export function isForgotten(group: BackoffGroup, now: number, terms: BackoffTerms): boolean {
  if (group.openedAt !== undefined)
    return now - group.openedAt >= Math.max(terms.minHealthyMs, wavesUntilAll * waveMs(terms))
  return now >= Math.max(pauseEndsAt(group, terms), group.probe?.at ?? 0) + 2 * terms.maxMs + terms.patienceMs
}

export function isProbed({ probe }: BackoffGroup, now: number, { patienceMs }: BackoffTerms): boolean {
  return probe !== undefined && now < probe.at + patienceMs
}

/** Conditions and attempts hold whole seconds, and their times are compared with this one. */
export function wholeSecond(ms: number): number {
  return Math.floor(ms / 1000) * 1000
}
