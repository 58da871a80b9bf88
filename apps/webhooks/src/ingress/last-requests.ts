import type { Pool } from '@crm/db'
import type { Logger } from '@crm/runtime'
import { storeLastRequests, type HookTrigger, type LastRequest } from './hooks.repository.ts'

/** Keeps the last request of each trigger while calls come so fast that most are not worth a write. */
export interface LastRequests {
  note(trigger: HookTrigger, last: LastRequest): void
  /** Stores the remaining requests. */
  close(): Promise<void>
}

const everyMs = 500
/** The number of triggers that are held at most before they are written. */
const heldMax = 200

/** Starts to keep requests; the last one of a burst is stored soon after it. */
export function createLastRequests(pool: Pool, logger: Logger): LastRequests {
  // Bounded: they are written when there are `heldMax`.
  let held = new Map<string, { readonly trigger: HookTrigger; readonly last: LastRequest }>()
  let timer: NodeJS.Timeout | undefined
  let running = Promise.resolve()

  const flush = (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    const lasts = [...held.values()]
    held = new Map()
    if (lasts.length > 0)
      running = running
        .then(() => storeLastRequests(pool, lasts))
        .catch((error: unknown) => logger.warn({ err: error }, 'the last requests were not kept'))
    return running
  }

  return {
    note: (trigger, last) => {
      held.set(trigger.workflowId, { trigger, last })
      if (held.size >= heldMax) void flush()
      else timer ??= setTimeout(() => void flush(), everyMs)
    },
    close: flush,
  }
}
