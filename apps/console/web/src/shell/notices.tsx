import { useSyncExternalStore } from 'react'
import { Icon } from './icons.tsx'
import classes from './notices.module.css'

const shownMs = 4_000
const shownMax = 2

interface Notice {
  readonly id: number
  readonly text: string
}

let notices: readonly Notice[] = []
let lastId = 0
const listeners = new Set<() => void>()

function set(next: readonly Notice[]): void {
  notices = next
  for (const listener of listeners) listener()
}

/** Says for a moment that something was done. */
export function notify(text: string): void {
  const id = ++lastId
  set([...notices, { id, text }].slice(-shownMax))
  setTimeout(() => set(notices.filter((notice) => notice.id !== id)), shownMs)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Where notices appear; once per page. */
export function Notices() {
  const shown = useSyncExternalStore(subscribe, () => notices)
  return (
    <div className={classes.place} role="status" aria-live="polite">
      {shown.map(({ id, text }) => (
        <div key={id} className={classes.notice}>
          <Icon name="check" size={16} />
          {text}
        </div>
      ))}
    </div>
  )
}
