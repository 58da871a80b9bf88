import { LRUCache } from 'lru-cache'
import type { HookTrigger } from './hooks.repository.ts'

/**
 * Remembers triggers for a short while. The memory may be out of date. It lets a call pass only because storing the run
 * compares the trigger once more, and it never refuses a call.
 */
export interface TriggerMemory {
  recall(host: string, path: string): HookTrigger | undefined
  remember(host: string, path: string, trigger: HookTrigger): void
  forget(host: string, path: string): void
}

const keptMs = 10_000
/**
 * This is more than the triggers called in that time: with a smaller memory, calls that come to all of them in turn
 * would each find theirs just forgotten, and cost a third more.
 */
const keptMax = 5_000

/** Makes the memory of one process. */
export function createTriggerMemory(nowMs: () => number = () => performance.now()): TriggerMemory {
  const kept = new LRUCache<string, { readonly trigger: HookTrigger; readonly untilMs: number }>({ max: keptMax })
  return {
    recall: (host, path) => {
      const found = kept.get(keyOf(host, path))
      return found && found.untilMs > nowMs() ? found.trigger : undefined
    },
    remember: (host, path, trigger) => void kept.set(keyOf(host, path), { trigger, untilMs: nowMs() + keptMs }),
    forget: (host, path) => void kept.delete(keyOf(host, path)),
  }
}

function keyOf(host: string, path: string): string {
  return `${host}/${path}`
}
