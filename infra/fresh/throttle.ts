import type { Machine } from './machine.ts'

/** The length of a round; a slowed process runs for a tenth of it. */
const roundMs = 100

/** Lets the matching processes of a machine run for a tenth of the time; returns the function that ends this. */
export function slowDownTenfold(machine: Machine, pattern: RegExp): () => void {
  let stopped: ReturnType<Machine['processes']> = []
  const timer = setInterval(() => {
    // Only these processes: a process may have become another program between the look and the signal.
    send(stopped, 'SIGCONT')
    setTimeout(() => {
      stopped = machine.processes(pattern)
      send(stopped, 'SIGSTOP')
    }, roundMs / 10)
  }, roundMs).unref()
  return () => {
    clearInterval(timer)
    setTimeout(() => send(stopped, 'SIGCONT'), roundMs)
  }
}

function send(processes: ReturnType<Machine['processes']>, signal: NodeJS.Signals): void {
  for (const { pid } of processes) {
    try {
      process.kill(pid, signal)
    } catch {
      // The process has ended meanwhile.
    }
  }
}
