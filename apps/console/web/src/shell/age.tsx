import { useSyncExternalStore } from 'react'
import { describeAge, describeInstant } from '../base/moments.ts'

const tickMs = 30_000

let now = Date.now()
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

function tick(): void {
  now = Date.now()
  for (const listener of listeners) listener()
}

/** One timer for the whole page, and only while something shows a time. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  if (timer === undefined) {
    timer = setInterval(tick, tickMs)
    queueMicrotask(tick)
  }
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** The time in milliseconds, as of at most half a minute ago. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now)
}

/** How long ago something was; the exact time shows on hover. */
export function Age({ at, className }: { readonly at: string; readonly className?: string }) {
  const now = useNow()
  return (
    <time className={className} dateTime={at} title={describeInstant(at)}>
      {describeAge(at, now)}
    </time>
  )
}
