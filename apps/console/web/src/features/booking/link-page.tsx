import { Alert, Button, Group, SimpleGrid, Stack } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import { settings } from '../../base/api.ts'
import { fieldErrors, isRefusedWith } from '../../base/refusals.ts'
import { useSession } from '../../base/session.ts'
import { fieldsOf } from '../../shell/body-fields.tsx'
import { bodyRules } from '../../shell/body-rules.built.ts'
import { ConfirmDialog } from '../../shell/confirm-dialog.tsx'
import { plainWords } from '../../records/custom-field-options.ts'
import { BackLink } from '../../shell/back-link.tsx'
import { CopyButton } from '../../shell/copy-button.tsx'
import { notify } from '../../shell/notices.tsx'
import { Page, Panel } from '../../shell/page.tsx'
import { LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import { linkQuery, organizersQuery, type BookingLink } from './booking-queries.ts'
import { OverridesEditor, WeekEditor } from './hours-editor.tsx'
import { problemOf, usualHours, type DateOverride, type WeeklyHours } from './hours.ts'
import { timeZones } from '../../base/time-zones.ts'
import { QuestionsEditor } from './questions-editor.tsx'
import { problemsOf as questionProblemsOf, type Question } from './questions.ts'
import { t } from './texts.ts'

/** One booking link: its settings, and the times at which it can be booked. */
export function BookingLinkPage() {
  const { id } = useParams({ strict: false })
  const isNew = id === undefined || id === 'new'
  const { data, error, refetch } = useQuery({ ...linkQuery(id ?? ''), enabled: !isNew })
  const { person } = useSession()
  if (isNew)
    return (
      <Page title={t('New booking link')} narrow above={<Back />}>
        <LinkForm draft={emptyDraft(person)} />
      </Page>
    )
  return (
    <Page
      title={data?.name ?? t('Booking link')}
      narrow
      above={<Back />}
      actions={data && <CopyButton text={data.url} label={t('Copy link')} />}
    >
      <RefusalAlert error={error} retry={() => void refetch()} />
      {error === null && data === undefined && (
        <Panel>
          <LoadingLines label={t('Loading booking link')} />
        </Panel>
      )}
      {data !== undefined && <LinkForm key={data.updatedAt} draft={toDraft(data)} link={data} />}
    </Page>
  )
}

function Back() {
  return <BackLink to="/booking/links">{t('Booking links')}</BackLink>
}

const fields = [
  'name',
  'slug',
  'description',
  'durationMin',
  'bufferMin',
  'timezone',
  'organizerId',
  'isActive',
  'showAvatar',
  'linkGuest',
  'weeklyHours',
  'dateOverrides',
  'questions',
] as const

interface Draft extends Omit<
  Pick<BookingLink, (typeof fields)[number]>,
  'weeklyHours' | 'dateOverrides' | 'questions'
> {
  readonly weeklyHours: readonly WeeklyHours[]
  readonly dateOverrides: readonly DateOverride[]
  readonly questions: readonly Question[]
}

function emptyDraft(person: ReturnType<typeof useSession>['person']): Draft {
  return {
    name: '',
    slug: '',
    description: null,
    durationMin: 30,
    bufferMin: 0,
    timezone: person.timezone ?? person.workspace.timezone,
    organizerId: person.id,
    isActive: true,
    showAvatar: true,
    linkGuest: true,
    weeklyHours: [1, 2, 3, 4, 5].map((day) => ({ day, ...usualHours })),
    dateOverrides: [],
    questions: [],
  }
}

function toDraft(link: BookingLink): Draft {
  return Object.fromEntries(fields.map((name) => [name, link[name]])) as unknown as Draft
}

function LinkForm({ draft: begun, link }: { readonly draft: Draft; readonly link?: BookingLink }) {
  const [draft, setDraft] = useState(begun)
  const client = useQueryClient()
  const navigate = useNavigate()
  const save = useMutation({
    mutationFn: () => {
      const body = {
        ...draft,
        weeklyHours: [...draft.weeklyHours],
        dateOverrides: draft.dateOverrides.map(({ date, hours }) => ({ date, hours: [...hours] })),
        questions: draft.questions.map((question) => ({ ...question, options: [...question.options] })),
      }
      return link === undefined
        ? settings.bookingLinks.create({ body })
        : settings.bookingLinks.update({ params: { id: link.id }, body })
    },
    onSuccess: async ({ data }) => {
      notify(link === undefined ? t('Booking link created') : t('Saved'))
      client.setQueryData(linkQuery(data.id).queryKey, data)
      await client.invalidateQueries({ queryKey: ['booking-links'] })
      if (link === undefined) await navigate({ to: '/booking/links' })
    },
  })
  const hours = [...draft.weeklyHours, ...draft.dateOverrides.flatMap((override) => override.hours)]
  const canSave = hours.every((one) => problemOf(one) === null) && draft.dateOverrides.every(({ date }) => date !== '')
  const problems = questionProblemsOf(draft.questions)
  const [showsProblems, setShowsProblems] = useState(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const isFit = problems.every((problem) => problem === undefined)
    setShowsProblems(!isFit)
    if (canSave && isFit) save.mutate()
  }
  const change = (part: Partial<Draft>) => setDraft((now) => ({ ...now, ...part }))
  // A new link follows its name, until somebody writes another one.
  const changeMeeting = (part: Partial<Draft>) =>
    change(
      link === undefined && part.name !== undefined && draft.slug === slugOf(draft.name)
        ? { ...part, slug: slugOf(part.name) }
        : part,
    )
  const place = new URL('/book/', link?.url ?? location.href).href
  return (
    <form onSubmit={submit} aria-label={t('Booking link')}>
      <Stack>
        <Panel title={t('Meeting')}>
          <MeetingFields draft={draft} place={place} error={save.error} onChange={changeMeeting} />
        </Panel>
        <Panel
          title={t('Weekly hours')}
          note={t('In the zone {timezone}. An end before the start lies on the next day.', {
            timezone: draft.timezone,
          })}
        >
          <WeekEditor week={draft.weeklyHours} onChange={(weeklyHours) => change({ weeklyHours })} />
        </Panel>
        <Panel title={t('Date overrides')} note={t('No hours means unavailable that day.')}>
          <OverridesEditor overrides={draft.dateOverrides} onChange={(dateOverrides) => change({ dateOverrides })} />
        </Panel>
        <Panel title={t('Questions')} note={t('Guests answer these besides name and email.')}>
          <QuestionsEditor
            questions={draft.questions}
            problems={showsProblems ? problems : []}
            onChange={(questions) => change({ questions })}
          />
        </Panel>
        <SaveRefusal error={save.error} />
        <Group justify="space-between">
          <Button type="submit" loading={save.isPending} disabled={!canSave}>
            {link === undefined ? t('Create booking link') : t('Save')}
          </Button>
          {link !== undefined && <DeleteLink link={link} />}
        </Group>
      </Stack>
    </form>
  )
}

/** Returns the end of a link that a name suggests: “Erstgespräch & Demo” is “erstgesprach-demo”. */
const slugOf = (name: string) => plainWords(name).join('-').slice(0, bodyRules.bookingLink.slug.max)

const shownFields = ['name', 'slug', 'description', 'durationMin', 'bufferMin', 'timezone', 'organizerId']

function SaveRefusal({ error }: { readonly error: Error | null }) {
  if (error === null || isRefusedWith(error, 'NAME_TAKEN')) return null
  if (!isRefusedWith(error, 'VALIDATION_ERROR')) return <RefusalAlert error={error} />
  const elsewhere = Object.entries(fieldErrors(error)).filter(([field]) => !shownFields.includes(field))
  return elsewhere.length === 0 ? null : (
    <Alert color="red" role="alert">
      {elsewhere.map(([field, message]) => `${field}: ${message}`).join('. ')}
    </Alert>
  )
}

interface MeetingFieldsProps {
  readonly draft: Draft
  /** Where the pages of booking links are. */
  readonly place: string
  readonly error: Error | null
  onChange(part: Partial<Draft>): void
}

function MeetingFields({ draft, place, error, onChange }: MeetingFieldsProps) {
  const isTaken = isRefusedWith(error, 'NAME_TAKEN')
  const errors = isTaken ? { slug: t('This link is already in use') } : fieldErrors(error)
  const field = fieldsOf({ rules: bodyRules.bookingLink, values: draft, errors, onChange })
  return (
    <Stack>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        {field('name', { label: t('Name') })}
        {field('slug', { label: t('Link'), description: `${place}${draft.slug}` })}
        {field('durationMin', { label: t('Duration') })}
        {field('bufferMin', { label: t('Buffer before and after') })}
        {field('timezone', { label: t('Time zone'), choices: timeZones(draft.timezone) })}
        {field('organizerId', { label: t('Organizer'), choices: useOrganizers(draft.organizerId) })}
      </SimpleGrid>
      {field('description', { label: t('Description'), rows: 3 })}
      {field('isActive', { label: t('Accepting bookings') })}
      {field('linkGuest', {
        label: t('Match guests to leads and contacts'),
        description: t('New guests become leads owned by the organizer.'),
      })}
      {field('showAvatar', { label: t('Show my photo') })}
    </Stack>
  )
}

/** The people whose calendar a link can book; the present one is always among them. */
function useOrganizers(id: string) {
  const { person, may } = useSession()
  const { data } = useQuery({ ...organizersQuery, enabled: may('MANAGE_USERS') })
  const people = (data ?? [])
    .filter(({ status, id: other }) => status === 'ACTIVE' || other === id)
    .map((user) => ({ value: user.id, label: [user.firstName, user.lastName].filter(Boolean).join(' ') || user.email }))
  if (people.some(({ value }) => value === id)) return people
  return [{ value: id, label: id === person.id ? person.name : t('Unknown user') }, ...people]
}

function DeleteLink({ link }: { readonly link: BookingLink }) {
  const [isAsked, setAsked] = useState(false)
  const client = useQueryClient()
  const navigate = useNavigate()
  const remove = useMutation({
    mutationFn: () => settings.bookingLinks.delete({ params: { id: link.id } }),
    onSuccess: async () => {
      notify(t('Booking link deleted'))
      await client.invalidateQueries({ queryKey: ['booking-links'] })
      await navigate({ to: '/booking/links' })
    },
  })
  return (
    <>
      <Button variant="subtle" color="red" onClick={() => setAsked(true)}>
        {t('Delete')}
      </Button>
      <ConfirmDialog
        opened={isAsked}
        onClose={() => setAsked(false)}
        title={t('Delete this booking link?')}
        confirm={t('Delete')}
        isDestructive
        isBusy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate()}
      >
        {t('A link with bookings cannot be deleted. Turn it off instead.')}
      </ConfirmDialog>
    </>
  )
}
