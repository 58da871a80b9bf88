import { useSyncExternalStore } from 'react'
import { describeAge, describeInstant, describeMoment } from '../base/moments.ts'

const tickMs = 30_000

let now = Date.now()
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

function tick(): void {
  now = Date.now()
  for (const listener of listeners) listener()
}

/** A single timer serves the whole page, and only while an age is shown. */
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

/** Returns the time in milliseconds, at most half a minute old. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now)
}

/** The age of an event; the exact time shows on hover. */
export function Age({ at, className }: { readonly at: string; readonly className?: string }) {
  const now = useNow()
  return (
    <time className={className} dateTime={at} title={describeInstant(at)}>
      {describeAge(at, now)}
    </time>
  )
}

/** A date and time in a narrow place; all of it shows on hover. */
export function Moment({ at }: { readonly at: string }) {
  const now = useNow()
  return (
    <time dateTime={at} title={describeInstant(at)}>
      {describeMoment(at, now)}
    </time>
  )
}
