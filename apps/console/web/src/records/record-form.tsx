import { Button, SimpleGrid, Stack, UnstyledButton } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState, type FormEvent, type KeyboardEvent, type ReactNode } from 'react'
import { fieldErrors } from '../base/refusals.ts'
import { useSession } from '../base/session.ts'
import { Icon } from '../shell/icons.tsx'
import { notify } from '../shell/notices.tsx'
import { LoadingLines, RefusalAlert } from '../shell/states.tsx'
import { CreatingHere, type CreateHere } from './creating-here.ts'
import { FieldControl } from './field-control.tsx'
import { bodyOf, errorsByField, type Draft, type Drafts } from './field-values.ts'
import {
  beginningOf,
  draftsOfTitle,
  isNeeded,
  isUsual,
  missingIn,
  placeIn,
  valuesIn,
  writableFields,
} from './form-drafts.ts'
import { LikelyDuplicates } from './likely-duplicates.tsx'
import { callsOf, titleOf, type AnyRecord } from './record-calls.ts'
import classes from './record-form.module.css'
import { useKind, useKinds, type Field, type Kind } from './record-kinds.ts'
import { addressOf, collectionOf } from './record-place.ts'
import { capitalized, named, t, terms } from '../base/texts.ts'
import { Dialog, DialogButtons } from '../shell/dialog.tsx'

interface RecordFormProps {
  /** The entity type, as in permissions. */
  readonly entityType: string
  readonly opened: boolean
  /** The values that the new record has from the start. */
  readonly initial?: Drafts
  /** The heading of the form, if it is not the noun. */
  readonly title?: string
  /** Called with the new record; without it the console opens the record's page. */
  onCreated?(record: AnyRecord): void
  onClose(): void
}

/** Asks for a new record of any kind. */
export function RecordForm({ entityType, opened, title, onClose, ...rest }: RecordFormProps) {
  const kind = useKind(entityType)
  const heading = title ?? t('New {noun}', named(kind?.noun ?? terms.kinds.RECORD.one))
  return (
    <Dialog opened={opened} onClose={onClose} title={heading} size="lg">
      {kind === undefined ? <LoadingLines /> : <NewRecord kind={kind} heading={heading} onClose={onClose} {...rest} />}
    </Dialog>
  )
}

interface NewRecordProps extends Pick<RecordFormProps, 'initial' | 'onCreated' | 'onClose'> {
  readonly kind: Kind
  readonly heading: string
}

const noDrafts: Drafts = {}

function NewRecord({ kind, heading, initial = noDrafts, onCreated, onClose }: NewRecordProps) {
  const { person } = useSession()
  const beginning = () => beginningOf(kind, { personId: person.id, currency: person.workspace.currency, initial })
  const [drafts, setDrafts] = useState(beginning)
  const [missing, setMissing] = useState<Readonly<Record<string, string>>>({})
  const [showsMore, setShowsMore] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const creation = useCreation(kind, {
    onCreated,
    again: () => {
      setDrafts(beginning)
      form.current?.querySelector<HTMLElement>('input, textarea')?.focus()
    },
    onClose,
  })
  const refused = errorsByField(fieldErrors(creation.error))
  const errors = { ...refused, ...missing }
  const fields = writableFields(kind)
  const usual = fields.filter((field) => isUsual(field, drafts) || errors[field.key] !== undefined)
  const more = fields.filter((field) => !usual.includes(field))
  useFirstInvalid(form, errors)

  const change = (field: Field, draft: Draft) => {
    setMissing(({ [field.key]: _gone, ...others }) => others)
    setDrafts((known) => ({
      ...known,
      [field.key]: draft,
      ...(field.key === 'pipelineId' && typeof draft === 'string' ? placeIn(kind, draft) : {}),
    }))
  }
  const send = (isAgain: boolean) => {
    const found = missingIn(kind, drafts)
    setMissing(found)
    if (Object.keys(found).length === 0 && !creation.isPending) creation.mutate({ drafts, isAgain })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // The form of a record that is made on the way is nested inside this one.
    event.stopPropagation()
    send(false)
  }
  const sendByKeys = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.stopPropagation()
      send(false)
    }
  }
  const control = (field: Field) => (
    <div key={field.key} className={isWide(field) ? classes.wide : undefined}>
      <FieldControl
        field={field}
        kind={kind}
        draft={drafts[field.key] ?? null}
        pipelineId={typeof drafts['pipelineId'] === 'string' ? drafts['pipelineId'] : null}
        error={errors[field.key]}
        isRequired={isNeeded(field, drafts)}
        autoFocus={field === usual[0]}
        onChange={(draft) => change(field, draft)}
      />
    </div>
  )
  const known = new Set(fields.map(({ key }) => key))
  const elsewhere = Object.entries(refused).filter(([key]) => !known.has(key))
  return (
    <CreatesHere>
      <form ref={form} onSubmit={submit} onKeyDown={sendByKeys} noValidate aria-label={heading}>
        <Stack>
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" verticalSpacing="sm">
            {usual.map(control)}
          </SimpleGrid>
          <LikelyDuplicates kind={kind} drafts={drafts} />
          {more.length > 0 && (
            <UnstyledButton className={classes.more} aria-expanded={showsMore} onClick={() => setShowsMore(!showsMore)}>
              <Icon name="right" size={14} />
              {t('More fields')}
            </UnstyledButton>
          )}
          {showsMore && (
            <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" verticalSpacing="sm">
              {more.map(control)}
            </SimpleGrid>
          )}
          {Object.keys(refused).length === 0 && <RefusalAlert error={creation.error} />}
          {elsewhere.length > 0 && (
            <p className={classes.problem} role="alert">
              {elsewhere.map(([, message]) => message).join(' ')}
            </p>
          )}
          <FormButtons
            kind={kind}
            isPending={creation.isPending}
            onCancel={onClose}
            {...(onCreated === undefined ? { onAgain: () => send(true) } : {})}
          />
        </Stack>
      </form>
    </CreatesHere>
  )
}

interface FormButtonsProps {
  readonly kind: Kind
  readonly isPending: boolean
  onCancel(): void
  /** Creates the record, and asks for another one. */
  onAgain?(): void
}

function FormButtons({ kind, isPending, onCancel, onAgain }: FormButtonsProps) {
  return (
    <DialogButtons className={classes.buttons}>
      <Button variant="default" className={classes.cancel} onClick={onCancel}>
        {t('Cancel')}
      </Button>
      {onAgain && (
        <Button variant="default" disabled={isPending} onClick={onAgain}>
          {t('Create and add another')}
        </Button>
      )}
      <Button type="submit" loading={isPending}>
        {t('Create {noun}', named(kind.noun))}
      </Button>
    </DialogButtons>
  )
}

interface Sending {
  readonly drafts: Drafts
  readonly isAgain: boolean
}

interface AfterCreation {
  readonly onCreated: RecordFormProps['onCreated']
  again(): void
  onClose(): void
}

function useCreation(kind: Kind, { onCreated, again, onClose }: AfterCreation) {
  const client = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: ({ drafts }: Sending) => callsOf(kind.key).create(bodyOf(kind, valuesIn(kind, drafts))),
    onSuccess: async (record, { isAgain }) => {
      const isKnown = typeof record['mergedIntoId'] === 'string'
      notify(
        isKnown
          ? t('Added to the existing {noun}', named(kind.noun))
          : t('{noun} created', named(capitalized(kind.noun))),
      )
      if (isAgain) again()
      else onClose()
      await client.invalidateQueries({ queryKey: [collectionOf(kind.key)] })
      if (isAgain) return
      if (onCreated) onCreated(record)
      else await navigate(addressOf({ entityType: kind.key, entityId: record.id }))
    },
  })
}

/** Focuses the first invalid control, each time that problems are found. */
function useFirstInvalid(form: { readonly current: HTMLFormElement | null }, errors: Readonly<Record<string, string>>) {
  const found = Object.entries(errors).flat().join('\n')
  useEffect(() => {
    if (found !== '') form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [form, found])
}

const wide: readonly Field['type'][] = ['LONG_TEXT', 'ADDRESS']

function isWide({ type, key }: Field): boolean {
  return wide.includes(type) || key === 'name' || key === 'title'
}

/** Lets the references inside make missing records: at once if a name is enough, otherwise by a form of their own. */
export function CreatesHere({ children }: { readonly children: ReactNode }) {
  const kinds = useKinds()
  const client = useQueryClient()
  const [asked, setAsked] = useState<{
    entityType: string
    title: string
    onCreated: Parameters<CreateHere>[2]
  } | null>(null)
  const create: CreateHere = (entityType, title, onCreated) => {
    const kind = kinds.find(({ key }) => key === entityType)
    if (kind === undefined) return
    const make = async () => {
      const record = await callsOf(entityType).create(bodyOf(kind, drafts))
      onCreated({ value: record.id, label: titleOf(kind, record) })
      notify(t('{noun} created', named(capitalized(kind.noun))))
      await client.invalidateQueries({ queryKey: [collectionOf(entityType)] })
    }
    const drafts = draftsOfTitle(kind, title)
    // A record that needs more than a name gets a form of its own.
    make().catch(() => setAsked({ entityType, title, onCreated }))
  }
  const kind = kinds.find(({ key }) => key === asked?.entityType)
  return (
    <CreatingHere.Provider value={create}>
      {children}
      {asked && kind && (
        <RecordForm
          entityType={asked.entityType}
          initial={draftsOfTitle(kind, asked.title)}
          opened
          onCreated={(record) => asked.onCreated({ value: record.id, label: titleOf(kind, record) })}
          onClose={() => setAsked(null)}
        />
      )}
    </CreatingHere.Provider>
  )
}
