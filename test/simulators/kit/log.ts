import type { Log, LogFields } from '../../../api/ctx.ts'

const say = () => {}

export const silentLog: Log = { trace: say, debug: say, info: say, warn: say, error: say, with: () => silentLog }

/** A line a message on standard error, for people: standard output belongs to the facts. */
export function stderrLog({ verbose }: { verbose: boolean }, fixed: LogFields = {}): Log {
  const write =
    (level: string) =>
    (message: string, fields: LogFields = {}) => {
      const details = Object.entries({ ...fixed, ...fields })
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => ` ${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
      process.stderr.write(`${level} ${message}${details.join('')}\n`)
    }
  return {
    trace: say,
    debug: verbose ? write('debug') : say,
    info: write('info '),
    warn: write('warn '),
    error: write('error'),
    with: (fields) => stderrLog({ verbose }, { ...fixed, ...fields }),
  }
}
