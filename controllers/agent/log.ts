import type { Clock, Log, LogFields } from '../../api/ctx.ts'

/** JSON lines. Lines of level debug and trace are left out: the agent runs on every Node. */
export function agentLog(write: (line: string) => void, clock: Clock, always: LogFields = {}): Log {
  const at = (level: string) => (message: string, fields?: LogFields) => {
    const time = new Date(clock.now()).toISOString()
    write(`${JSON.stringify({ level, time, ...always, ...fields, message })}\n`)
  }
  const nothing = () => {}
  return {
    trace: nothing,
    debug: nothing,
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    with: (fields) => agentLog(write, clock, { ...always, ...fields }),
  }
}
