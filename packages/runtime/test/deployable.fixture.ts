// A small deployable that shows the behaviour of runProcess; the first argument chooses a variant.
import { writeSync } from 'node:fs'
import { setTimeout as waitMs } from 'node:timers/promises'
import { ConfigError, createLogger, runProcess } from '../src/index.ts'

const behaviour = process.argv[2]
const logger = createLogger({ name: 'fixture' })

/** More lines than are gathered, and some that are not enough to be written. */
const chat = (): void => {
  for (let line = 0; line < 1_003; line++) logger.info({ line }, 'said')
}

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
    if (behaviour?.startsWith('chatty')) chat()
    if (behaviour === 'chatty-and-gone') process.exit(3)
    if (behaviour === 'chatty-and-crashing')
      setTimeout(() => {
        throw new Error('nobody caught this')
      }, 10)
    if (behaviour === 'gathering') {
      logger.info('gathered')
      writeSync(1, 'at once\n')
    }
    if (behaviour === 'warned') process.emitWarning('this will go away', 'DeprecationWarning')
    if (behaviour === 'crashing') setTimeout(() => Promise.reject(new Error('nobody awaited this')), 10)
    if (behaviour === 'draining')
      stopping.addEventListener('abort', () => setTimeout(() => logger.info('serves on'), 10))
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
