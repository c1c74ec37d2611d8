const plainEveryMs = 15_000

/**
 * Shows a task, its progress and its duration on stderr, because stdout belongs to the command. A terminal has one
 * line that is overwritten; elsewhere there is a line at the start, at most every 15 s, and at the end.
 *
 * @param {string} what
 * @param {NodeJS.WriteStream} [stream]
 */
export function startProgress(what, stream = process.stderr) {
  const began = performance.now()
  const seconds = () => Math.round((performance.now() - began) / 1000)
  const terminal = stream.isTTY
  let detail = ''
  let saidAt = began

  const show = () => {
    saidAt = performance.now()
    const line = `${what}${detail && `: ${detail}`} (${seconds()} s)`
    stream.write(terminal ? `\r\u001B[K${line.slice(0, (stream.columns ?? 80) - 1)}` : `${line}\n`)
  }
  const end = (/** @type {string} */ sentence) => {
    clearInterval(timer)
    stream.write(`${terminal ? '\r\u001B[K' : ''}${sentence}\n`)
  }
  const timer = setInterval(() => {
    if (terminal || performance.now() - saidAt >= plainEveryMs) show()
  }, 500)
  timer.unref()
  show()
  return {
    /** @param {string} now */
    say(now) {
      detail = now
    },
    done: () => end(`${what}: done in ${seconds()} s`),
    failed: () => end(`${what}: failed after ${seconds()} s`),
  }
}
