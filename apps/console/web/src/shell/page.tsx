import { Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import type { ReactNode } from 'react'
import classes from './page.module.css'
import { t } from '../base/texts.ts'

interface PageProps {
  readonly title: string
  /** A note below the title, such as a count. */
  readonly note?: ReactNode
  readonly actions?: ReactNode
  /** Content above the title, such as a link back. */
  readonly above?: ReactNode
  readonly narrow?: boolean
  /** A mark beside the title, such as initials. */
  readonly mark?: ReactNode
  /** Whether title and actions stay in sight while the page scrolls. */
  readonly isSticky?: boolean
  /** Whether the content uses the whole width, for tables of many columns. */
  readonly wide?: boolean
  /** Whether it is a list, whose first record a phone shows at once. */
  readonly isList?: boolean
  readonly children: ReactNode
}

/** A page of the console: its title, its actions, and its content. */
export function Page({
  title,
  note,
  actions,
  above,
  narrow = false,
  wide = false,
  isList = false,
  mark,
  isSticky = false,
  children,
}: PageProps) {
  useDocumentTitle(t('{title} · Workspace CRM', { title }))
  return (
    <div className={classes.page} data-narrow={narrow} data-wide={wide} data-list={isList}>
      {above}
      <header className={classes.head} data-sticky={isSticky}>
        {mark}
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
  /** Whether the panel is still empty: then it is a line with its title and its actions. */
  readonly isEmpty?: boolean
  /** Whether the content has no padding, for tables. */
  readonly flush?: boolean
  /** The height of its rows, where it is not the one that the person chose. */
  readonly density?: 'compact' | 'comfortable' | undefined
  readonly children: ReactNode
}

/** A framed part of a page. */
export function Panel({ title, note, actions, isEmpty = false, flush = false, density, children }: PanelProps) {
  return (
    <section
      className={classes.panel}
      data-flush={flush}
      data-empty={isEmpty}
      data-density={density}
      aria-label={title}
    >
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
