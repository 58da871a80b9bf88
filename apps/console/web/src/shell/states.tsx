import { Alert, Button, Code, Skeleton, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { describeRefusal } from '../base/refusals.ts'
import { Icon } from './icons.tsx'
import classes from './states.module.css'
import { t } from '../base/texts.ts'

/** A failed call, with the id for an administrator, and a way to try again. */
export function RefusalAlert({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) {
  if (error === null || error === undefined) return null
  const { title, text, details, errorId } = describeRefusal(error)
  return (
    <Alert color="red" title={title} icon={<Icon name="alert" />} role="alert">
      {text}
      {details !== undefined && (
        <details className={classes.details}>
          <summary>{t('Details')}</summary>
          {details}
        </details>
      )}
      {errorId !== undefined && (
        <div className={classes.errorId}>
          {t.rich('Error ID <code>{errorId}</code>', { errorId, code: (text) => <Code>{text}</Code> })}
        </div>
      )}
      {retry !== undefined && (
        <div className={classes.retry}>
          <Button variant="default" size="xs" onClick={retry}>
            {t('Try again')}
          </Button>
        </div>
      )}
    </Alert>
  )
}

interface EmptyStateProps {
  readonly title: string
  readonly children?: ReactNode
  readonly action?: ReactNode
}

/** The content of an empty list or page. */
export function EmptyState({ title, children, action }: EmptyStateProps) {
  return (
    <div className={classes.empty}>
      <div className={classes.emptyTitle}>{title}</div>
      {children !== undefined && <div className={classes.emptyText}>{children}</div>}
      {action}
    </div>
  )
}

/** Lines in place of a text that is loading. */
export function LoadingLines({
  lines = 4,
  label = t('Loading'),
}: {
  readonly lines?: number
  readonly label?: string
}) {
  return (
    <Stack gap="sm" role="status" aria-label={label}>
      {Array.from({ length: lines }, (_, at) => (
        <Skeleton key={at} height={14} width={`${92 - ((at * 23) % 45)}%`} />
      ))}
    </Stack>
  )
}
