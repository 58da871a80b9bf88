import {
  Alert,
  Anchor,
  Button,
  Group,
  NativeSelect,
  NumberInput,
  SimpleGrid,
  Stack,
  Switch,
  Textarea,
  TextInput,
} from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import { settings } from '../../base/api.ts'
import { fieldErrors, isRefusedWith } from '../../base/refusals.ts'
import { useSession } from '../../base/session.ts'
import { ConfirmDialog } from '../../shell/confirm-dialog.tsx'
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
  return (
    <Anchor component={Link} to="/booking/links" size="sm">
      {t('booking.bookingLinks')}
    </Anchor>
  )
}

interface Draft {
  readonly name: string
  readonly slug: string
  readonly description: string
  readonly durationMin: number
  readonly bufferMin: number
  readonly timezone: string
  readonly organizerId: string
  readonly isActive: boolean
  readonly showAvatar: boolean
  readonly linkGuest: boolean
  readonly weeklyHours: readonly WeeklyHours[]
  readonly dateOverrides: readonly DateOverride[]
  readonly questions: readonly Question[]
}

function emptyDraft(person: ReturnType<typeof useSession>['person']): Draft {
  return {
    name: '',
    slug: '',
    description: '',
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

function toDraft({
  name,
  slug,
  description,
  durationMin,
  bufferMin,
  timezone,
  organizerId,
  isActive,
  showAvatar,
  linkGuest,
  weeklyHours,
  dateOverrides,
  questions,
}: BookingLink): Draft {
  return {
    name,
    slug,
    description: description ?? '',
    durationMin,
    bufferMin,
    timezone,
    organizerId,
    isActive,
    showAvatar,
    linkGuest,
    weeklyHours,
    dateOverrides,
    questions,
  }
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
  return (
    <form onSubmit={submit} aria-label={t('booking.bookingLink')}>
      <Stack>
        <Panel title={t('booking.meeting')}>
          <MeetingFields draft={draft} error={save.error} onChange={change} />
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
  readonly error: Error | null
  onChange(part: Partial<Draft>): void
}

function MeetingFields({ draft, error, onChange }: MeetingFieldsProps) {
  const errors = fieldErrors(error)
  const slugError = isRefusedWith(error, 'NAME_TAKEN') ? t('booking.thereIsALinkWith') : errors['slug']
  const number = (value: string | number) => (typeof value === 'number' ? value : Number.parseInt(value, 10) || 0)
  return (
    <Stack>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          label={t('common.name')}
          value={draft.name}
          maxLength={200}
          required
          withAsterisk={false}
          error={errors['name']}
          onChange={(event) => onChange({ name: event.currentTarget.value })}
        />
        <TextInput
          label={t('common.address')}
          description={t('booking.link')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          value={draft.slug}
          maxLength={100}
          required
          withAsterisk={false}
          error={slugError}
          onChange={(event) => onChange({ slug: event.currentTarget.value })}
        />
        <NumberInput
          label={t('booking.duration')}
          min={1}
          max={1440}
          value={draft.durationMin}
          error={errors['durationMin']}
          onChange={(value) => onChange({ durationMin: number(value) })}
        />
        <NumberInput
          label={t('booking.bufferBeforeAndAfter')}
          min={0}
          max={1440}
          value={draft.bufferMin}
          error={errors['bufferMin']}
          onChange={(value) => onChange({ bufferMin: number(value) })}
        />
        <NativeSelect
          label={t('common.timeZone')}
          value={draft.timezone}
          data={timeZones(draft.timezone)}
          error={errors['timezone']}
          onChange={(event) => onChange({ timezone: event.currentTarget.value })}
        />
        <Organizer
          id={draft.organizerId}
          error={errors['organizerId']}
          onChange={(organizerId) => onChange({ organizerId })}
        />
      </SimpleGrid>
      <Textarea
        label={t('common.description')}
        value={draft.description}
        maxLength={2000}
        rows={3}
        error={errors['description']}
        onChange={(event) => onChange({ description: event.currentTarget.value })}
      />
      <Switch
        label={t('booking.acceptingBookings')}
        checked={draft.isActive}
        onChange={(event) => onChange({ isActive: event.currentTarget.checked })}
      />
      <Switch
        label={t('booking.matchGuestsToLeadsAnd')}
        description={t('booking.newGuestsBecomeLeadsOwned')}
        checked={draft.linkGuest}
        onChange={(event) => onChange({ linkGuest: event.currentTarget.checked })}
      />
      <Switch
        label={t('booking.showMyPhoto')}
        checked={draft.showAvatar}
        onChange={(event) => onChange({ showAvatar: event.currentTarget.checked })}
      />
    </Stack>
  )
}

function Organizer({
  id,
  error,
  onChange,
}: {
  readonly id: string
  readonly error: string | undefined
  onChange(id: string): void
}) {
  const { person, may } = useSession()
  const { data } = useQuery({ ...organizersQuery, enabled: may('MANAGE_USERS') })
  const people = (data ?? [])
    .filter(({ status, id: other }) => status === 'ACTIVE' || other === id)
    .map((user) => ({ value: user.id, label: [user.firstName, user.lastName].filter(Boolean).join(' ') || user.email }))
  const options = people.some(({ value }) => value === id)
    ? people
    : [{ value: id, label: id === person.id ? person.name : t('booking.unknownUser') }, ...people]
  return (
    <NativeSelect
      label={t('booking.organizer')}
      value={id}
      data={options}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
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
