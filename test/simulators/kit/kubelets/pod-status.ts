import { badAnnotation, endsAfter, type Pod } from './pod.ts'

/** The status of a Pod whose containers have just started and are ready. */
export function runningStatus(pod: Pod, now: number): object {
  const startTime = seconds(now)
  const types = ['Initialized', 'ContainersReady', 'Ready']
  const conditions = types.map((type) => ({ type, status: 'True', lastTransitionTime: startTime }))
  const containerStatuses = containersOf(pod, true, { running: { startedAt: startTime } })
  return { phase: 'Running', startTime, conditions, containerStatuses }
}

/** The status of a Pod whose containers have ended. Exit code 137 is a SIGKILL. */
export function endedStatus(pod: Pod, killed: boolean, now: number): object {
  const [phase, exitCode, reason] = killed ? ['Failed', 137, 'Error'] : ['Succeeded', 0, 'Completed']
  const finishedAt = seconds(now)
  const { startTime = finishedAt } = pod.status ?? {}
  const ended = (type: string) => ({ type, status: 'False', reason: `Pod${phase}`, lastTransitionTime: finishedAt })
  const conditions = [
    { type: 'Initialized', status: 'True', lastTransitionTime: startTime },
    ...['ContainersReady', 'Ready'].map(ended),
  ]
  const terminated = { exitCode, reason, startedAt: startTime, finishedAt }
  return { phase, startTime, conditions, containerStatuses: containersOf(pod, false, { terminated }) }
}

function containersOf({ spec }: Pod, run: boolean, state: object): readonly object[] {
  return spec.containers.map(({ name, image }) => {
    const container = { name, image, imageID: image, containerID: `simulated://${name}` }
    return { ...container, ready: run, started: run, restartCount: 0, state }
  })
}

/** A Pod whose annotation cannot be followed is not started, so that its author sees the mistake. */
export function refusedStatus(): object {
  const message = `The annotation ${endsAfter} must be a duration such as 500ms, 3s or 1m.`
  return { phase: 'Pending', reason: badAnnotation, message }
}

function seconds(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`
}
