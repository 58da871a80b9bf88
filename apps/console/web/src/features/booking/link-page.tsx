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
import { t } from '../../base/texts.ts'

/** One booking link: its settings, and the times at which it can be booked. */
export function BookingLinkPage() {
  const { id } = useParams({ strict: false })
  const isNew = id === undefined || id === 'new'
  const { data, error, refetch } = useQuery({ ...linkQuery(id ?? ''), enabled: !isNew })
  const { person } = useSession()
  if (isNew)
    return (
      <Page title={t('booking.newBookingLink')} narrow above={<Back />}>
        <LinkForm draft={emptyDraft(person)} />
      </Page>
    )
  return (
    <Page
      title={data?.name ?? t('booking.bookingLink')}
      narrow
      above={<Back />}
      actions={data && <CopyButton text={data.url} label={t('booking.copyLink')} />}
    >
      <RefusalAlert error={error} retry={() => void refetch()} />
      {error === null && data === undefined && (
        <Panel>
          <LoadingLines label={t('booking.loadingTheBookingLink')} />
        </Panel>
      )}
      {data !== undefined && <LinkForm key={data.updatedAt} draft={toDraft(data)} link={data} />}
    </Page>
  )
}

function Back() {
  return <BackLink to="/booking/links">{t('booking.bookingLinks')}</BackLink>
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
      notify(link === undefined ? t('booking.theBookingLinkWasCreated') : t('common.saved'))
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
    <form onSubmit={submit} aria-label={t('booking.bookingLink')}>
      <Stack>
        <Panel title={t('booking.meeting')}>
          <MeetingFields draft={draft} place={place} error={save.error} onChange={changeMeeting} />
        </Panel>
        <Panel title={t('booking.weeklyHours')} note={t('booking.inTheZoneTimezoneAn', { timezone: draft.timezone })}>
          <WeekEditor week={draft.weeklyHours} onChange={(weeklyHours) => change({ weeklyHours })} />
        </Panel>
        <Panel title={t('booking.dateOverrides')} note={t('booking.noHoursMeansUnavailableThat')}>
          <OverridesEditor overrides={draft.dateOverrides} onChange={(dateOverrides) => change({ dateOverrides })} />
        </Panel>
        <Panel title={t('booking.questions')} note={t('booking.askedBesidesNameAndEmail')}>
          <QuestionsEditor
            questions={draft.questions}
            problems={showsProblems ? problems : []}
            onChange={(questions) => change({ questions })}
          />
        </Panel>
        <SaveRefusal error={save.error} />
        <Group justify="space-between">
          <Button type="submit" loading={save.isPending} disabled={!canSave}>
            {link === undefined ? t('booking.createBookingLink') : t('common.save')}
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
  const errors = isTaken ? { slug: t('booking.thereIsALinkWith') } : fieldErrors(error)
  const field = fieldsOf({ rules: bodyRules.bookingLink, values: draft, errors, onChange })
  return (
    <Stack>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        {field('name', { label: t('common.name') })}
        {field('slug', { label: t('booking.link'), description: `${place}${draft.slug}` })}
        {field('durationMin', { label: t('booking.duration') })}
        {field('bufferMin', { label: t('booking.bufferBeforeAndAfter') })}
        {field('timezone', { label: t('common.timeZone'), choices: timeZones(draft.timezone) })}
        {field('organizerId', { label: t('booking.organizer'), choices: useOrganizers(draft.organizerId) })}
      </SimpleGrid>
      {field('description', { label: t('common.description'), rows: 3 })}
      {field('isActive', { label: t('booking.acceptingBookings') })}
      {field('linkGuest', {
        label: t('booking.matchGuestsToLeadsAnd'),
        description: t('booking.newGuestsBecomeLeadsOwned'),
      })}
      {field('showAvatar', { label: t('booking.showMyPhoto') })}
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
  return [{ value: id, label: id === person.id ? person.name : t('booking.unknownUser') }, ...people]
}

function DeleteLink({ link }: { readonly link: BookingLink }) {
  const [isAsked, setAsked] = useState(false)
  const client = useQueryClient()
  const navigate = useNavigate()
  const remove = useMutation({
    mutationFn: () => settings.bookingLinks.delete({ params: { id: link.id } }),
    onSuccess: async () => {
      notify(t('booking.theBookingLinkWasDeleted'))
      await client.invalidateQueries({ queryKey: ['booking-links'] })
      await navigate({ to: '/booking/links' })
    },
  })
  return (
    <>
      <Button variant="subtle" color="red" onClick={() => setAsked(true)}>
        {t('common.delete')}
      </Button>
      <ConfirmDialog
        opened={isAsked}
        onClose={() => setAsked(false)}
        title={t('booking.deleteThisBookingLink')}
        confirm={t('common.delete')}
        isDestructive
        isBusy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate()}
      >
        {t('booking.aLinkThatWasBooked')}
      </ConfirmDialog>
    </>
  )
}
