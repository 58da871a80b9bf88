import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { Dialog } from '../../shell/dialog.tsx'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { describeInstant } from '../../base/moments.ts'
import { ChangeList } from '../../records/change-list.tsx'
import { useKinds } from '../../records/record-kinds.ts'
import { useNow } from '../../shell/age.tsx'
import { Facts } from '../../shell/facts.tsx'
import { notify } from '../../shell/notices.tsx'
import { LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import { operationsQuery, undoSession, type AgentSession, type SessionOperation } from './agents-queries.ts'
import { fieldsInWords } from './proposal-words.ts'
import classes from './proposals-page.module.css'
import { keptInWords, sentenceOf, type Kept } from './session-words.tsx'
import { t } from './texts.ts'

interface SessionDialogProps {
  readonly session: AgentSession
  onClose(): void
}

/** What an agent did in a session, and its undo. */
export function SessionDialog({ session, onClose }: SessionDialogProps) {
  const { id, via, employeeName, startedAt, lastAt } = session
  const reading = useInfiniteQuery(operationsQuery(id))
  const operations = reading.data?.pages.flatMap((page) => page.operations)
  return (
    <Dialog opened onClose={onClose} title={t('Session of {name}', { name: via?.name ?? '' })} size="lg">
      <Stack>
        <Facts
          facts={[
            [t('Person'), employeeName],
            [t('Began'), describeInstant(startedAt)],
            [t('Last call'), describeInstant(lastAt)],
          ]}
        />
        <Undo session={session} />
        <RefusalAlert error={reading.error} retry={() => void reading.refetch()} />
        {operations === undefined && reading.error === null && <LoadingLines />}
        {operations?.length === 0 && <Text size="sm">{t('It changed nothing.')}</Text>}
        <ul className={classes.proposals} aria-label={t('What it did')}>
          {operations?.map((operation) => (
            <Operation key={operation.id} operation={operation} />
          ))}
        </ul>
        {reading.hasNextPage && (
          <Button variant="default" loading={reading.isFetchingNextPage} onClick={() => void reading.fetchNextPage()}>
            {t('Show more')}
          </Button>
        )}
      </Stack>
    </Dialog>
  )
}

function Operation({ operation: { at, changes, hidden = 0 } }: { readonly operation: SessionOperation }) {
  const kinds = useKinds()
  return (
    <li className={classes.proposal}>
      <div className={classes.difference}>
        {changes.slice(0, shownMax).map((change, place) => (
          // A record can have several entries in one operation.
          <div key={`${change.id} ${String(place)}`}>
            {sentenceOf(change)}
            <ChangeList changes={fieldsInWords(change, kinds)} />
          </div>
        ))}
        {changes.length > shownMax && (
          <div>{t('{count, plural, one {and one more} other {and # more}}', { count: changes.length - shownMax })}</div>
        )}
        {hidden > 0 && (
          <div>
            {t(
              '{count, plural, one {and one record that you may not see} other {and # records that you may not see}}',
              { count: hidden },
            )}
          </div>
        )}
        <div className={classes.by}>{describeInstant(at)}</div>
      </div>
    </li>
  )
}

/** A change of many records shows the first ones. */
const shownMax = 10

interface UndoProps {
  readonly session: AgentSession
}

/** Shows first what the undo of a session would do, and what stays. */
function Undo({ session: { id, undoableUntil } }: UndoProps) {
  const client = useQueryClient()
  const rehearsing = useMutation({ mutationFn: () => undoSession(id, true) })
  const undoing = useMutation({
    mutationFn: () => undoSession(id, false),
    onSuccess: () => {
      notify(t('The session was undone'))
      // It shows in lists, histories and figures of many kinds.
      return client.invalidateQueries()
    },
  })
  if (Date.parse(undoableUntil) < useNow())
    return <Text size="sm">{t('A session can be undone for 72 hours after its last call.')}</Text>
  const { data: done } = undoing
  const { data: expected } = rehearsing
  const told = done ?? expected
  return (
    <Stack gap="xs">
      <RefusalAlert error={undoing.error ?? rehearsing.error} />
      {told && (
        <Alert color={done ? 'green' : 'blue'} title={done ? t('The session was undone') : t('What the undo would do')}>
          {t('{count, plural, one {One record is as it was before.} other {# records are as they were before.}}', {
            count: told.undone,
          })}
          <Staying kept={told.kept} more={told.more ?? 0} hidden={told.hidden ?? 0} />
        </Alert>
      )}
      {!done && (
        <Group gap="sm">
          {expected ? (
            <Button color="red.9" loading={undoing.isPending} onClick={() => undoing.mutate()}>
              {t('Undo now')}
            </Button>
          ) : (
            <Button variant="default" loading={rehearsing.isPending} onClick={() => rehearsing.mutate()}>
              {t('Undo this session …')}
            </Button>
          )}
        </Group>
      )}
    </Stack>
  )
}

interface StayingProps {
  readonly kept: readonly Kept[]
  readonly more: number
  readonly hidden: number
}

function Staying({ kept, more, hidden }: StayingProps) {
  if (kept.length + hidden === 0) return null
  const [sure = [], unsure = []] = [false, true].map((mayGo) => kept.filter((one) => (one.mayGo ?? false) === mayGo))
  return (
    <>
      {unsure.length > 0 && (
        <KeptList title={t('The undo takes these away too, where nothing else uses them by then:')} kept={unsure} />
      )}
      {sure.length + hidden > 0 && (
        <KeptList
          title={t('These stay, because somebody changed them afterwards or nothing takes them back:')}
          kept={sure}
        />
      )}
      {more > 0 && <div>{t('{count, plural, one {and one more} other {and # more}}', { count: more })}</div>}
      {hidden > 0 && (
        <div>
          {t('{count, plural, one {and one record that you may not see} other {and # records that you may not see}}', {
            count: hidden,
          })}
        </div>
      )}
    </>
  )
}

function KeptList({ title, kept }: { readonly title: string; readonly kept: readonly Kept[] }) {
  const kinds = useKinds()
  return (
    <>
      <Text size="sm" mt="xs">
        {title}
      </Text>
      <ul>
        {keptInWords(kept, kinds).map(({ key, text }) => (
          <li key={key}>{text}</li>
        ))}
      </ul>
    </>
  )
}
