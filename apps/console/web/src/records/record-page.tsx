import { createLink } from '@tanstack/react-router'
import type { ComponentProps, ReactNode } from 'react'
import { Icon } from '../shell/icons.tsx'
import { Page, Panel } from '../shell/page.tsx'
import { LoadingLines, RefusalAlert } from '../shell/states.tsx'
import { Comments } from './comments.tsx'
import classes from './record-page.module.css'
import type { RecordPlace } from './record-place.ts'
import { Timeline } from './timeline.tsx'

interface WithRecordProps<Shown> {
  /** What people call such a record. */
  readonly noun: string
  readonly reading: { readonly data: Shown | undefined; readonly error: Error | null; refetch(): unknown }
  /** The way back to the list. */
  readonly back?: ReactNode
  readonly narrow?: boolean
  children(record: Shown): ReactNode
}

/** What needs a record: it comes once the record is there, and until then the page says that it loads or why it cannot be shown. */
export function WithRecord<Shown>({
  noun,
  reading: { data, error, refetch },
  back,
  narrow = false,
  children,
}: WithRecordProps<Shown>) {
  if (data !== undefined) return children(data)
  return (
    <Page
      title={error === null ? noun.charAt(0).toUpperCase() + noun.slice(1) : `This ${noun} cannot be shown`}
      above={back}
      narrow={narrow}
    >
      <RefusalAlert error={error} retry={() => void refetch()} />
      {error === null && (
        <Panel>
          <LoadingLines lines={8} label={`Loading the ${noun}`} />
        </Panel>
      )}
    </Page>
  )
}

interface RecordPageProps {
  readonly record: RecordPlace
  readonly title: string
  readonly note?: ReactNode
  readonly back?: ReactNode
  readonly actions?: ReactNode
  /** Stands above both columns, such as the stages. */
  readonly top?: ReactNode
  /** What is known of the record. */
  readonly main: ReactNode
  /** What belongs to the record. */
  readonly aside?: ReactNode
  readonly isCommented?: boolean
  /** What happened to the record, where that is more than its timeline. */
  readonly history?: ReactNode
}

/** The page of a record: what is known and said of it, beside what belongs to it and what happened to it. */
export function RecordPage({
  record,
  title,
  note,
  back,
  actions,
  top,
  main,
  aside,
  isCommented = true,
  history,
}: RecordPageProps) {
  return (
    <Page title={title} note={note} above={back} actions={actions}>
      {top}
      <div className={classes.columns}>
        <div className={classes.column}>
          {main}
          {isCommented && (
            <Panel title="Comments">
              <Comments record={record} />
            </Panel>
          )}
        </div>
        <div className={classes.column}>
          {aside}
          {history ?? (
            <Panel title="Timeline">
              <Timeline record={record} />
            </Panel>
          )}
        </div>
      </div>
    </Page>
  )
}

function BackAnchor({ children, ...props }: ComponentProps<'a'>) {
  return (
    <a {...props} className={classes.back}>
      <Icon name="left" size={16} />
      {children}
    </a>
  )
}

/** The way from a record back to its list. */
export const BackLink = createLink(BackAnchor)
