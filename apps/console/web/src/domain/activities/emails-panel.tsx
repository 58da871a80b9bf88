import type { ActivityRecord } from '@crm/contract'
import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useSession } from '../../base/session.ts'
import { inWords } from '../../records/field-words.ts'
import type { RecordTab } from '../../records/record-activity.tsx'
import { addressOf, type RecordPlace } from '../../records/record-place.ts'
import { Age } from '../../shell/age.tsx'
import { Panel } from '../../shell/page.tsx'
import { Pill } from '../../shell/pill.tsx'
import { EmptyState, LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import { ActivityForm } from './activity-dialog.tsx'
import { emailsQuery } from './activity-queries.ts'
import { activityTones } from './activity-words.ts'
import { EmailForm, type Addressee } from './email-form.tsx'
import classes from './emails-panel.module.css'
import { t } from '../../base/texts.ts'

interface EmailsProps {
  readonly record: RecordPlace
  readonly addressee: Addressee
}

/** The emails about a record, newest first, and a form for another one. */
function EmailsPanel({ record, addressee }: EmailsProps) {
  const { may } = useSession()
  const [isWriting, setWriting] = useState(false)
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(emailsQuery(record))
  const emails = data?.pages.flatMap(({ items }) => items)
  const write = may('CREATE_ACTIVITY') && !isWriting && (
    <Button variant="default" size="xs" onClick={() => setWriting(true)}>
      {t('Write an email')}
    </Button>
  )
  return (
    <Panel title={t('Emails')} actions={write}>
      {isWriting && (
        <div className={classes.form}>
          <EmailForm record={record} addressee={addressee} onSent={() => setWriting(false)} />
        </div>
      )}
      <RefusalAlert error={error} retry={() => void refetch()} />
      {emails === undefined && error === null && <LoadingLines lines={4} label={t('Loading emails')} />}
      {emails?.length === 0 && !isWriting && <EmptyState title={t('No emails yet')} />}
      {emails !== undefined && emails.length > 0 && (
        <ul className={classes.emails} aria-label={t('Emails')}>
          {emails.map((email) => (
            <Email key={email.id} email={email} />
          ))}
        </ul>
      )}
      {hasNextPage && (
        <Button variant="default" size="xs" fullWidth loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('Show more')}
        </Button>
      )}
    </Panel>
  )
}

function Email({
  email: { id, subject, body, direction, status, participants, startAt, createdAt },
}: {
  readonly email: ActivityRecord
}) {
  const people = participants.flatMap(({ name, email }) => name ?? email ?? [])
  return (
    <li className={classes.email}>
      <div className={classes.head}>
        <Link {...addressOf({ entityType: 'ACTIVITY', entityId: id })} className={classes.subject}>
          <bdi>{subject ?? inWords('EMAIL')}</bdi>
        </Link>
        <Age className={classes.when} at={startAt ?? createdAt} />
      </div>
      {people.length > 0 && (
        <div className={classes.when}>
          {t(direction === 'IN' ? 'From {people}' : 'To {people}', { people: people.join(', ') })}
        </div>
      )}
      {status !== 'DONE' && <Pill tone={activityTones[status]}>{inWords(status)}</Pill>}
      {body !== null && (
        <div className={classes.body} dir="auto">
          {body}
        </div>
      )}
    </li>
  )
}

/** Returns the emails of a record as a tab of its page, with the forms for calls and emails. */
export function emailsTab(record: RecordPlace, addressee: Addressee = {}): RecordTab {
  return {
    key: 'emails',
    label: t('Emails'),
    needs: ['VIEW_ACTIVITY'],
    content: <EmailsPanel record={record} addressee={addressee} />,
    compose: [
      {
        kind: 'call',
        label: t('Call'),
        needs: 'CREATE_ACTIVITY',
        content: <ActivityForm record={record} />,
      },
      {
        kind: 'email',
        label: t('Email'),
        needs: 'CREATE_ACTIVITY',
        content: <EmailForm record={record} addressee={addressee} />,
      },
    ],
  }
}
