import type { ReactNode } from 'react'
import { Age } from '../shell/age.tsx'
import classes from './saying.module.css'
import { LinkedText } from '../shell/linked-text.tsx'

interface SayingProps {
  readonly author: string
  /** The time in ISO 8601. */
  readonly at: string
  readonly body: string
  /** Further content. */
  readonly children?: ReactNode
}

/** A text that a person wrote, with its author and time. */
export function Saying({ author, at, body, children }: SayingProps) {
  return (
    <>
      <div className={classes.head}>
        <span className={classes.author}>{author}</span>
        <Age at={at} />
        {children}
      </div>
      <div className={classes.body}>
        <LinkedText text={body} />
      </div>
    </>
  )
}
