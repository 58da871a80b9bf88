// A small deployable that shows the behaviour of runProcess; the first argument chooses a variant.
import { setTimeout as waitMs } from 'node:timers/promises'
import { ConfigError, runProcess } from '../src/index.ts'

const behaviour = process.argv[2]

await runProcess({
  name: 'fixture',
  closeDeadlineMs: 200,
  start: async (stopping) => {
    if (behaviour === 'misconfigured')
      throw new ConfigError(['PORT is required: no number', 'DATABASE_URL: not an address'])
    if (behaviour === 'signalled-while-starting') {
      process.kill(process.pid, 'SIGTERM')
      await waitMs(50)
    }
    if (behaviour === 'giving-up-its-start') {
      process.kill(process.pid, 'SIGTERM')
      await waitMs(60_000, undefined, { signal: stopping })
    }
    if (behaviour === 'warned') process.emitWarning('this will go away', 'DeprecationWarning')
    if (behaviour === 'crashing') setTimeout(() => Promise.reject(new Error('nobody awaited this')), 10)
    if (behaviour === 'draining')
      stopping.addEventListener('abort', () => setTimeout(() => process.stdout.write('serves on\n'), 10))
    const keepAlive = setInterval(() => undefined, 1_000)
    return {
      drainMs: behaviour === 'draining' ? 300 : 0,
      close: async () => {
        if (behaviour === 'stuck') await new Promise(() => undefined)
        clearInterval(keepAlive)
      },
    }
  },
})
