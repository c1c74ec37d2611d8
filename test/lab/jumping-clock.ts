import path from 'node:path'

/** The environment of a manager whose clock jumps five minutes with each SIGUSR2. */
export const jumpingClock: NodeJS.ProcessEnv = {
  NODE_OPTIONS: `--import=${path.join(import.meta.dirname, 'time-jump.ts')}`,
}
