import type { ReactNode } from 'react'
import { Age } from '../shell/age.tsx'
import classes from './saying.module.css'

interface SayingProps {
  readonly author: string
  /** ISO 8601. */
  readonly at: string
  readonly body: string
  /** What else is to be known of it. */
  readonly children?: ReactNode
}

/** What somebody wrote, who it was and when. */
export function Saying({ author, at, body, children }: SayingProps) {
  return (
    <>
      <div className={classes.head}>
        <span className={classes.author}>{author}</span>
        <Age at={at} />
        {children}
      </div>
      <div className={classes.body}>{body}</div>
    </>
  )
}
