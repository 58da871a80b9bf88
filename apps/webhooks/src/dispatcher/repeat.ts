import type { Logger } from '@crm/runtime'

/** Does something again and again, never twice at once; gives the function that ends it and waits for the last time. */
export function repeat(everyMs: number, work: () => Promise<void>, logger: Logger): () => Promise<void> {
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()
  const turn = (): void => {
    running = work()
      .catch((error: unknown) => logger.warn({ err: error }, 'a repeated task failed'))
      .finally(() => {
        if (!isStopped) timer = setTimeout(turn, everyMs)
      })
  }
  timer = setTimeout(turn, everyMs)
  return async () => {
    isStopped = true
    clearTimeout(timer)
    await running
  }
}
