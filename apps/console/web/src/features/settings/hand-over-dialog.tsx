import { Alert, Button, Checkbox, List, Radio, Stack, Text } from '@mantine/core'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { settings } from '../../base/api.ts'
import { useDirectory } from '../../base/people.ts'
import { useSession } from '../../base/session.ts'
import { doneOf, undoChange } from '../../records/bulk-changes.ts'
import { countOf, useKinds } from '../../records/record-kinds.ts'
import { offerUndo } from '../../records/undoing.ts'
import { FormDialog } from '../../shell/form-dialog.tsx'
import { notify, notifyRefusal } from '../../shell/notices.tsx'
import { LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import { departmentsQuery, type Person, type PersonPatch } from './settings-queries.ts'
import { TypedSelect } from '../../shell/typed-select.tsx'
import { t } from './texts.ts'

const belongingsQuery = (id: string) =>
  queryOptions({
    queryKey: ['people', 'belongings', id],
    queryFn: async ({ signal }) => (await settings.handOvers.belongings({ params: { id }, signal })).data,
    staleTime: 0,
  })

type Belongings = Awaited<ReturnType<typeof settings.handOvers.belongings>>['data']
type Wish = NonNullable<NonNullable<Parameters<typeof settings.handOvers.run>[0]>['body']>
type Fate = NonNullable<Wish['meetings']>
type Way = 'person' | 'team' | 'nobody'

interface HandOverDialogProps {
  readonly person: Person
  /** What is saved about the person afterwards, such as that they have left. */
  readonly patch?: PersonPatch
  onClose(): void
}

/** Says what belongs to a person, and asks who takes it over before they are suspended or terminated. */
export function HandOverDialog({ person, patch, onClose }: HandOverDialogProps) {
  const belongings = useQuery(belongingsQuery(person.id))
  const [way, setWay] = useState<Way>('person')
  const [toId, setToId] = useState<string | null>(null)
  const [meetings, setMeetings] = useState<Fate>('REASSIGN')
  const [includesOver, setIncludesOver] = useState(false)
  const save = useLeaving(person, patch, onClose)
  const isGiven = way !== 'nobody' && belongings.data !== undefined && !isEmpty(belongings.data)
  const choice = way === 'team' ? ({ byTeam: true } as const) : { toId: toId ?? '' }
  return (
    <FormDialog
      opened
      title={t('What belongs to {name}', { name: person.name })}
      submit={submitText(patch?.status, isGiven)}
      size="lg"
      isBusy={save.isPending}
      isIncomplete={belongings.data === undefined || (isGiven && way === 'person' && toId === null)}
      isDestructive={patch?.status !== undefined}
      error={save.error}
      onSubmit={() => save.mutate(isGiven ? { ...choice, meetings, includeOver: includesOver } : null)}
      onClose={onClose}
    >
      {belongings.isError && <RefusalAlert error={belongings.error} />}
      {belongings.isPending && <LoadingLines label={t('People')} />}
      {belongings.data && (
        <>
          <WhatBelongs person={person} belongings={belongings.data} />
          {!isEmpty(belongings.data) && (
            <>
              <Receivers person={person} way={way} toId={toId} onWay={setWay} onPerson={setToId} />
              {way !== 'nobody' && (
                <Details
                  belongings={belongings.data}
                  meetings={meetings}
                  includesOver={includesOver}
                  onMeetings={setMeetings}
                  onOver={setIncludesOver}
                />
              )}
            </>
          )}
          <Stops person={person} belongings={belongings.data} />
        </>
      )}
    </FormDialog>
  )
}

/** Hands over, if that is wanted, and then saves the rest. The hand-over goes on in the background and can be undone. */
function useLeaving(person: Person, patch: PersonPatch | undefined, onClose: () => void) {
  const client = useQueryClient()
  const follow = async (jobId: string) => {
    const { failed: count, undoId } = await doneOf({ jobId }, t('Handing over'))
    // The owner of many records is somebody else now.
    await client.invalidateQueries()
    const said =
      count === 0
        ? t('Handed over')
        : t('Handed over, except {count, plural, one {# thing} other {# things}}', { count })
    offerUndo(client, said, undoId)
  }
  return useMutation({
    mutationFn: async (wish: Wish | null) => {
      const params = { id: person.id }
      const given = wish && (await settings.handOvers.run({ params, body: wish })).data
      if (patch) await settings.users.update({ params, body: patch })
      return given && 'jobId' in given ? given.jobId : null
    },
    onSuccess: (jobId) => {
      onClose()
      if (jobId === null) notify(t('Saved'))
      else void follow(jobId).catch(notifyRefusal)
      return client.invalidateQueries({ queryKey: ['people'] })
    },
  })
}

function submitText(status: Person['status'] | undefined, isGiven: boolean): string {
  if (status === 'SUSPENDED') return t(isGiven ? 'Hand over and suspend' : 'Suspend')
  if (status === 'TERMINATED') return t(isGiven ? 'Hand over and terminate' : 'Terminate')
  return t('Hand over')
}

const movable = ({ others }: Belongings) => others.filter(({ fate }) => fate === 'MOVES')

/** Whether nothing is there that somebody could take over. */
function isEmpty(belongings: Belongings): boolean {
  return belongings.records.length + movable(belongings).length + belongings.meetings === 0
}

interface AboutProps {
  readonly person: Person
  readonly belongings: Belongings
}

const belongs: Readonly<Record<Belongings['others'][number]['type'], (count: number) => string>> = {
  BOOKING_LINK: (count) => t('{count, plural, one {# booking link} other {# booking links}}', { count }),
  DASHBOARD: (count) => t('{count, plural, one {# dashboard} other {# dashboards}}', { count }),
  SAVED_FILTER: (count) => t('{count, plural, one {# saved view} other {# saved views}}', { count }),
  WORKFLOW: (count) => t('{count, plural, one {# workflow} other {# workflows}}', { count }),
  AUTOMATION_RULE: (count) => t('{count, plural, one {# rule} other {# rules}}', { count }),
  API_KEY: (count) => t('{count, plural, one {# API key} other {# API keys}}', { count }),
  CONNECTION: (count) => t('{count, plural, one {# connected app} other {# connected apps}}', { count }),
}

/** What belongs to the person, in words. */
function WhatBelongs({ person: { name }, belongings }: AboutProps) {
  const kinds = useKinds()
  const { records, meetings } = belongings
  const lines = [
    ...records.flatMap(({ entityType, count }) => {
      const kind = kinds.find(({ key }) => key === entityType)
      return kind && count > 0 ? [countOf(kind, count)] : []
    }),
    ...movable(belongings).map(({ type, count }) => belongs[type](count)),
    ...(meetings > 0
      ? [t('{count, plural, one {# upcoming booking} other {# upcoming bookings}}', { count: meetings })]
      : []),
  ]
  const stays = records.reduce((sum, { count, movable: mine }) => sum + count - mine, 0)
  if (lines.length === 0) return <Text size="sm">{t('Nothing open belongs to {name}.', { name })}</Text>
  return (
    <div>
      <Text size="sm" mb="xs">
        {t('Still open for {name}:', { name })}
      </Text>
      <List size="sm" spacing={2}>
        {lines.map((line) => (
          <List.Item key={line}>{line}</List.Item>
        ))}
      </List>
      {stays > 0 && (
        <Text size="sm" c="dimmed" mt="xs">
          {t(
            '{count, plural, one {# of them you may not change. It stays.} other {# of them you may not change. They stay.}}',
            { count: stays },
          )}
        </Text>
      )}
    </div>
  )
}

interface ReceiversProps {
  readonly person: Person
  readonly way: Way
  readonly toId: string | null
  onWay(way: Way): void
  onPerson(id: string | null): void
}

function Receivers({ person, way, toId, onWay, onPerson }: ReceiversProps) {
  const { may } = useSession()
  const departments = useQuery({ ...departmentsQuery, enabled: may('VIEW_DEPARTMENT') }).data ?? []
  const department = departments.find(({ id }) => id === person.departmentId)
  const people = useDirectory().filter(({ id, status }) => id !== person.id && status === 'ACTIVE')
  return (
    <>
      <Radio.Group
        label={t('Who takes over?')}
        value={way}
        onChange={(next) => onWay(next === 'team' || next === 'nobody' ? next : 'person')}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="person" label={t('One person')} />
          {department && (
            <Radio value="team" label={t('The active people of {name}, in turn', { name: department.name })} />
          )}
          <Radio value="nobody" label={t('Nobody for now')} />
        </Stack>
      </Radio.Group>
      {way === 'person' && (
        <TypedSelect
          label={t('Takes over')}
          searchable
          data={people.map(({ id, name }) => ({ value: id, label: name }))}
          value={toId}
          nothingFoundMessage={t('Nothing found')}
          onChange={onPerson}
        />
      )}
    </>
  )
}

interface DetailsProps {
  readonly belongings: Belongings
  readonly meetings: Fate
  readonly includesOver: boolean
  onMeetings(fate: Fate): void
  onOver(includes: boolean): void
}

const fates: readonly Fate[] = ['REASSIGN', 'CANCEL', 'KEEP']
const fateNames: Readonly<Record<Fate, string>> = {
  REASSIGN: t('Give to whoever takes over, if free'),
  CANCEL: t('Cancel and email the guests'),
  KEEP: t('Keep as they are'),
}

function Details({ belongings, meetings, includesOver, onMeetings, onOver }: DetailsProps) {
  const over = belongings.records.reduce((sum, record) => sum + record.over, 0)
  return (
    <>
      {belongings.meetings > 0 && (
        <Radio.Group
          label={t('Upcoming bookings')}
          value={meetings}
          onChange={(next) => onMeetings(fates.find((fate) => fate === next) ?? 'KEEP')}
        >
          <Stack gap="xs" mt="xs">
            {fates.map((fate) => (
              <Radio key={fate} value={fate} label={fateNames[fate]} />
            ))}
          </Stack>
        </Radio.Group>
      )}
      {over > 0 && (
        <Checkbox
          size="xs"
          label={t('Also what is won, lost, done or cancelled ({count})', { count: over })}
          checked={includesOver}
          onChange={(event) => onOver(event.currentTarget.checked)}
        />
      )}
    </>
  )
}

/** Names what stops with the person: keys, connected apps, and automation that nobody may take over. */
function Stops({ person: { name }, belongings }: AboutProps) {
  const stopping = belongings.others.filter(({ fate }) => fate === 'STOPS')
  if (stopping.length === 0) return null
  const names = stopping.map(({ type, count, names: known }) => `${belongs[type](count)} (${known.join(', ')})`)
  return <Alert color="yellow">{t('Stops working without {name}: {names}.', { name, names: names.join('; ') })}</Alert>
}

/** Lets the one who handed over a person's records take that back, or hand over what is there now. */
export function HandOverButtons({ person, onHandOver }: { readonly person: Person; onHandOver(): void }) {
  const last = useQuery(belongingsQuery(person.id)).data?.handOver
  const client = useQueryClient()
  const undo = useMutation({
    mutationFn: async (undoId: string) => doneOf(await undoChange(undoId), t('Undoing')),
    onSuccess: ({ failed }) => {
      notify(t(failed === 0 ? 'Undone' : 'Not undone: it has changed since.'))
      return client.invalidateQueries()
    },
    onError: notifyRefusal,
  })
  return (
    <>
      <Button variant="default" size="xs" onClick={onHandOver}>
        {t('Hand over records')}
      </Button>
      {last && (
        <Button
          variant="default"
          size="xs"
          title={t('Possible for 72 hours. Cancelled meetings stay cancelled.')}
          loading={undo.isPending}
          onClick={() => undo.mutate(last.undoId)}
        >
          {t('Undo the hand-over')}
        </Button>
      )}
    </>
  )
}
