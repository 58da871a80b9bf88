import type { ActivityRecord } from '@crm/contract'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { crm } from '../../base/api.ts'
import { describeInstant } from '../../base/moments.ts'
import { usePeopleNames } from '../../base/people.ts'
import { useSession } from '../../base/session.ts'
import { activityQuery } from '../../domain/activities/activity-queries.ts'
import { activityTones } from '../../domain/activities/activity-words.ts'
import { FilesPanel } from '../../domain/files/files-panel.tsx'
import { inWords } from '../../records/field-words.ts'
import { useWordsOf } from '../../records/kind-names.ts'
import { LinkedPlaces } from '../../records/linked-places.tsx'
import { addressOfList } from '../../records/list-place.ts'
import { RecordPage, WithRecord } from '../../records/record-page.tsx'
import { listOf } from '../../records/record-place.ts'
import { useRemoval } from '../../records/use-removal.ts'
import { BackLink } from '../../shell/back-link.tsx'
import { useChange } from '../../shell/changes.ts'
import { Facts } from '../../shell/facts.tsx'
import { Panel } from '../../shell/page.tsx'
import { Pill } from '../../shell/pill.tsx'
import { RefusalAlert } from '../../shell/states.tsx'
import classes from './activity-page.module.css'
import { t } from '../../base/texts.ts'
import { LinkedText } from '../../shell/linked-text.tsx'

/** A call, meeting, email or note: its subject, and the records it belongs to. */
export function Page({ id }: { readonly id: string }) {
  const reading = useQuery(activityQuery(id))
  return (
    <WithRecord noun={t('activity')} back={<Back />} reading={reading}>
      {(activity) => <KnownActivity key={id} activity={activity} />}
    </WithRecord>
  )
}

function Back() {
  const { title } = useWordsOf('ACTIVITY')
  return (
    <BackLink to={listOf('ACTIVITY')} search={addressOfList('ACTIVITY')}>
      {title}
    </BackLink>
  )
}

function KnownActivity({ activity }: { readonly activity: ActivityRecord }) {
  const { id, type, subject, body, links } = activity
  const record = { entityType: 'ACTIVITY', entityId: id } as const
  return (
    <RecordPage
      record={record}
      title={subject ?? inWords(type)}
      note={inWords(type)}
      back={<Back />}
      actions={<ActivityActions activity={activity} />}
      main={
        <>
          <Panel title={t('Details')}>
            <ActivityFacts activity={activity} />
          </Panel>
          {body !== null && (
            <Panel title={t('Text')}>
              <div className={classes.body}>
                <LinkedText text={body} />
              </div>
            </Panel>
          )}
        </>
      }
      aside={
        <>
          <LinkedPlaces links={links} />
          <FilesPanel record={record} />
        </>
      }
    />
  )
}

function ActivityFacts({
  activity: { status, direction, startAt, endAt, outcome, participants, ownerId, createdAt },
}: {
  readonly activity: ActivityRecord
}) {
  const people = usePeopleNames([ownerId])
  return (
    <Facts
      facts={[
        [
          t('Status'),
          <Pill key="state" tone={activityTones[status]}>
            {inWords(status)}
          </Pill>,
        ],
        [t('Direction'), direction && inWords(direction)],
        [t('Start'), startAt && describeInstant(startAt)],
        [t('End'), endAt && describeInstant(endAt)],
        [t('Outcome'), outcome],
        [
          t('Participants'),
          participants
            .map(({ name, email }) => name ?? email)
            .filter(Boolean)
            .join(', '),
        ],
        [t('Owner'), ownerId && people.get(ownerId)],
        [t('Logged'), describeInstant(createdAt)],
      ]}
    />
  )
}

function ActivityActions({ activity: { id, version, status } }: { readonly activity: ActivityRecord }) {
  const { may } = useSession()
  const navigate = useNavigate()
  const remove = useRemoval('ACTIVITY', () => navigate({ to: listOf('ACTIVITY'), search: addressOfList('ACTIVITY') }))
  const finish = useChange(() => crm.activities.update({ params: { id }, body: { status: 'DONE', version } }), {
    said: t('Done'),
    stale: ['activities'],
  })
  return (
    <>
      <RefusalAlert error={finish.error} />
      {may('DELETE_ACTIVITY') && (
        <Button variant="subtle" color="red" loading={remove.isPending} onClick={() => remove.mutate(id)}>
          {t('Delete')}
        </Button>
      )}
      {status === 'PLANNED' && may('UPDATE_ACTIVITY') && (
        <Button variant="default" loading={finish.isPending} onClick={() => finish.mutate(undefined)}>
          {t('Mark as done')}
        </Button>
      )}
    </>
  )
}
