import { Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import type { ReactNode } from 'react'
import classes from './page.module.css'

interface PageProps {
  readonly title: string
  /** What stands beneath the title, such as a count. */
  readonly note?: ReactNode
  readonly actions?: ReactNode
  /** What stands above the title, such as the way back. */
  readonly above?: ReactNode
  readonly narrow?: boolean
  readonly children: ReactNode
}

/** A page of the console: its title, what can be done on it, and its content. */
export function Page({ title, note, actions, above, narrow = false, children }: PageProps) {
  useDocumentTitle(`${title} · Workspace CRM`)
  return (
    <div className={classes.page} data-narrow={narrow}>
      {above}
      <header className={classes.head}>
        <div className={classes.heading}>
          <Title order={1}>{title}</Title>
          {note !== undefined && <div className={classes.note}>{note}</div>}
        </div>
        {actions !== undefined && <div className={classes.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  )
}

interface PanelProps {
  readonly title?: string
  readonly note?: ReactNode
  readonly actions?: ReactNode
  /** Whether there is nothing in it yet: it is a line with its title and what can be done. */
  readonly isEmpty?: boolean
  /** Without room around its content, for tables. */
  readonly flush?: boolean
  readonly children: ReactNode
}

/** A framed part of a page. */
export function Panel({ title, note, actions, isEmpty = false, flush = false, children }: PanelProps) {
  return (
    <section className={classes.panel} data-flush={flush} data-empty={isEmpty} aria-label={title}>
      {title !== undefined && (
        <div className={classes.panelHead}>
          <div>
            <Title order={2}>{title}</Title>
            {note !== undefined && <div className={classes.note}>{note}</div>}
          </div>
          {actions}
        </div>
      )}
      {children}
    </section>
  )
}
