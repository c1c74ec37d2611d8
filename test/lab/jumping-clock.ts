import path from 'node:path'

/** For the environment of a manager whose clock is to be taken on, five minutes with each SIGUSR2. */
export const jumpingClock: NodeJS.ProcessEnv = {
  NODE_OPTIONS: `--import=${path.join(import.meta.dirname, 'time-jump.ts')}`,
}
