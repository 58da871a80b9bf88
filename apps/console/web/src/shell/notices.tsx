import { useSyncExternalStore } from 'react'
import { forgetsWithPerson } from '../base/forget.ts'
import { describeRefusal } from '../base/refusals.ts'
import { Icon } from './icons.tsx'
import classes from './notices.module.css'

const shownMs = 4_000
/** This is long enough to read the notice, to think, and to undo the action. */
const shownWithActionMs = 12_000
const shownMax = 2

/** An action on the change that was just made. */
interface NoticeAction {
  readonly label: string
  run(): void
}

interface Notice {
  readonly id: number
  readonly text: string
  readonly action: NoticeAction | undefined
  /** The part of a piece of work that is done, from 0 to 1; undefined for a notice that tells of no work. */
  readonly share: number | undefined
}

let notices: readonly Notice[] = []
let lastId = 0
const listeners = new Set<() => void>()

function set(next: readonly Notice[]): void {
  notices = next
  for (const listener of listeners) listener()
}

forgetsWithPerson(() => set([]))

function remove(id: number): void {
  set(notices.filter((notice) => notice.id !== id))
}

/**
 * Shows a notice for a moment, with an action that undoes the change if there is one. It takes the place of an earlier notice with an
 * action: two buttons of one name could not be told apart. Returns the function that takes it away.
 */
export function notify(text: string, action?: NoticeAction): () => void {
  const id = ++lastId
  const kept = action ? notices.filter((notice) => notice.action === undefined) : notices
  set([...kept, { id, text, action, share: undefined }].slice(-shownMax))
  setTimeout(() => remove(id), action ? shownWithActionMs : shownMs)
  return () => remove(id)
}

/** A notice that stays for as long as a piece of work goes on. */
export interface ProgressNotice {
  /** Shows the part that is done, from 0 to 1. */
  show(share: number): void
  close(): void
}

/** Shows the progress of a piece of work. */
export function notifyProgress(text: string): ProgressNotice {
  const id = ++lastId
  set([...notices, { id, text, action: undefined, share: 0 }].slice(-shownMax))
  return {
    show: (share) => set(notices.map((notice) => (notice.id === id ? { ...notice, share } : notice))),
    close: () => remove(id),
  }
}

/** Shows a failed call as a notice. */
export function notifyRefusal(error: unknown): void {
  const { title, text } = describeRefusal(error)
  notify(`${title}. ${text}`)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The place of the notices; once per page. */
export function Notices() {
  const shown = useSyncExternalStore(subscribe, () => notices)
  const run = ({ id, action }: Notice) => {
    remove(id)
    action?.run()
  }
  return (
    <div className={classes.place} role="status" aria-live="polite">
      {shown.map((notice) => (
        <div key={notice.id} className={classes.notice}>
          {notice.share === undefined && <Icon name="check" size={16} />}
          {notice.text}
          {notice.share !== undefined && (
            <progress className={classes.progress} aria-label={notice.text} value={notice.share} />
          )}
          {notice.action && (
            <button type="button" className={classes.action} onClick={() => run(notice)}>
              {notice.action.label}
            </button>
          )}
        </div>
      ))}
    </div>
  )
}
