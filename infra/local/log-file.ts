import { createWriteStream, existsSync, renameSync, type WriteStream } from 'node:fs'

/** The log of one process; lines that the disk does not take are dropped, and nothing ends because of them. */
export interface LogFile {
  line(text: string): void
  end(): void
}

const triedAgainAfterMs = 1_000
const saidAgainAfterMs = 60_000

/**
 * Begins a log; the one of the previous start gets the end `.1`.
 * @param say hears, at most once a minute, that the disk takes no more
 */
export function createLogFile(path: string, say: (line: string) => void): LogFile {
  if (existsSync(path)) renameSync(path, `${path}.1`)
  let stream: WriteStream | undefined
  let failedAtMs = -Infinity
  let saidAtMs = -Infinity
  let hasEnded = false
  const open = (): WriteStream => {
    const opened = createWriteStream(path, { mode: 0o600, flags: 'a' })
    opened.on('error', ({ message }) => {
      if (stream === opened) stream = undefined
      failedAtMs = performance.now()
      if (failedAtMs - saidAtMs < saidAgainAfterMs) return
      saidAtMs = failedAtMs
      say(`the log takes no lines: ${message}`)
    })
    return opened
  }
  return {
    line: (text) => {
      if (hasEnded || (stream === undefined && performance.now() - failedAtMs < triedAgainAfterMs)) return
      stream ??= open()
      stream.write(`${text}\n`)
    },
    end: () => {
      hasEnded = true
      stream?.end()
    },
  }
}
