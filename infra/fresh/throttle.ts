import type { Machine } from './machine.ts'

/** Of ten parts of this time, a slowed process runs during one. */
const roundMs = 100

/** Lets the processes of a machine whose command line matches run for a tenth of the time; returns the function that ends it. */
export function slowDownTenfold(machine: Machine, pattern: RegExp): () => void {
  let stopped: ReturnType<Machine['processes']> = []
  const timer = setInterval(() => {
    // These and no others: a process may have become another program between the look and the signal.
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
      // It has ended meanwhile.
    }
  }
}
