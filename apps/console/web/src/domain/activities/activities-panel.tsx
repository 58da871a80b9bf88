import type { ActivityRecord } from '@crm/contract'
import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { crm } from '../../base/api.ts'
import { describeInstant } from '../../base/moments.ts'
import { useSession } from '../../base/session.ts'
import { inWords } from '../../records/field-words.ts'
import { collectionOf, type RecordPlace } from '../../records/record-place.ts'
import type { RecordTab } from '../../records/record-activity.tsx'
import { Age } from '../../shell/age.tsx'
import { useChange } from '../../shell/changes.ts'
import { Panel } from '../../shell/page.tsx'
import { Pill } from '../../shell/pill.tsx'
import { LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import classes from './activities-panel.module.css'
import { ActivityDialog, ActivityForm } from './activity-dialog.tsx'
import { EmailForm, type Addressee } from './email-form.tsx'
import { activitiesQuery } from './activity-queries.ts'
import { activityTones } from './activity-words.ts'
import { t } from '../../base/texts.ts'

/** The calls, meetings, e-mails and notes of a record, and a way to log another one. */
function ActivitiesPanel({ record }: { readonly record: RecordPlace }) {
  const { may } = useSession()
  const [isLogging, setLogging] = useState(false)
  if (!may('VIEW_ACTIVITY')) return null
  return (
    <Panel
      title={t('activities.callsAndMeetings')}
      actions={
        may('CREATE_ACTIVITY') && (
          <Button variant="default" size="xs" onClick={() => setLogging(true)}>
            {t('activities.logACallOrMeeting')}
          </Button>
        )
      }
    >
      <ActivityList record={record} />
      <ActivityDialog record={record} opened={isLogging} onClose={() => setLogging(false)} />
    </Panel>
  )
}

function ActivityList({ record }: { readonly record: RecordPlace }) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    activitiesQuery(record),
  )
  const activities = data?.pages.flatMap(({ items }) => items)
  if (activities === undefined)
    return error === null ? (
      <LoadingLines lines={3} label={t('activities.loadingCallsAndMeetings')} />
    ) : (
      <RefusalAlert error={error} retry={() => void refetch()} />
    )
  if (activities.length === 0) return <div className={classes.nothing}>{t('activities.noActivityYet')}</div>
  return (
    <>
      <ul className={classes.activities} aria-label={t('activities.activities')}>
        {activities.map((activity) => (
          <ActivityItem key={activity.id} activity={activity} record={record} />
        ))}
      </ul>
      {hasNextPage && (
        <Button variant="default" size="xs" fullWidth loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('common.showMore')}
        </Button>
      )}
    </>
  )
}

function ActivityItem({ activity, record }: { readonly activity: ActivityRecord; readonly record: RecordPlace }) {
  const { may } = useSession()
  const { id, version, type, subject, body, status, startAt, createdAt } = activity
  const finish = useChange(() => crm.activities.update({ params: { id }, body: { status: 'DONE', version } }), {
    said: t('common.done'),
    stale: [collectionOf(record.entityType)],
  })
  return (
    <li className={classes.activity}>
      <div className={classes.head}>
        <Link to="/activities/$id" params={{ id }} className={classes.subject}>
          {subject ?? inWords(type)}
        </Link>
        <Pill tone={activityTones[status]}>{inWords(status)}</Pill>
      </div>
      <div className={classes.when}>
        {inWords(type)} · {startAt === null ? <Age at={createdAt} /> : describeInstant(startAt)}
      </div>
      {body !== null && <div className={classes.body}>{body}</div>}
      <RefusalAlert error={finish.error} />
      {status === 'PLANNED' && may('UPDATE_ACTIVITY') && (
        <div>
          <Button
            variant="default"
            size="xs"
            loading={finish.isPending}
            onClick={() => finish.mutate(undefined)}
            aria-label={t('activities.markSubjectAsDone', { subject: subject ?? inWords(type) })}
          >
            {t('activities.markAsDone')}
          </Button>
        </div>
      )}
    </li>
  )
}

/** Returns the calls, meetings and emails of a record as a tab of its page. */
export function activitiesTab(record: RecordPlace, addressee: Addressee = {}): RecordTab {
  return {
    key: 'meetings',
    label: t('activities.callsAndMeetings'),
    needs: ['VIEW_ACTIVITY'],
    content: <ActivitiesPanel record={record} />,
    compose: [
      { label: t('activities.call'), needs: 'CREATE_ACTIVITY', content: <ActivityForm record={record} /> },
      {
        label: t('common.email'),
        needs: 'CREATE_ACTIVITY',
        content: <EmailForm record={record} addressee={addressee} />,
        command: 'email',
      },
    ],
  }
}
