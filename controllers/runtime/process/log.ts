import { destination as openFile, pino, stdTimeFunctions, type DestinationStream, type Logger } from 'pino'
import type { Log, LogFields } from '../../../api/ctx.ts'
import { redactFields } from './redact.ts'

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error'

export interface LogOptions {
  readonly level: LogLevel
  /** Default: standard error. */
  readonly destination?: DestinationStream
}

/** JSON lines with level, time, fields and message. Secrets are removed from the fields first. */
export function createLog({ level, destination }: LogOptions): Log {
  const options = {
    level,
    base: null,
    messageKey: 'message',
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  }
  return wrap(pino(options, destination ?? openFile({ dest: 2, sync: true })))
}

function wrap(logger: Logger): Log {
  const at = (level: LogLevel) => (message: string, fields?: LogFields) => {
    if (!logger.isLevelEnabled(level)) return
    if (fields === undefined) logger[level](message)
    else logger[level](redactFields(fields), message)
  }
  return {
    trace: at('trace'),
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    with: (fields) => wrap(logger.child(redactFields(fields))),
  }
}
