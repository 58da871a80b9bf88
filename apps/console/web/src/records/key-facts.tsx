import { ActionIcon, Button, Group, UnstyledButton } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useRef, useState, type FocusEvent, type KeyboardEvent, type MouseEvent, type ReactNode } from 'react'
import { fieldErrors, isRefusedWith } from '../base/refusals.ts'
import { Icon } from '../shell/icons.tsx'
import { Panel } from '../shell/page.tsx'
import { LoadingLines, RefusalAlert } from '../shell/states.tsx'
import { useFocusReturn } from '../shell/use-focus-return.ts'
import { ChangedByOthers } from './changed-by-others.tsx'
import { FieldControl } from './field-control.tsx'
import { FieldValue, hasValue } from './field-value.tsx'
import { bodyOf, draftOf, errorsByField, isEmptyDraft, valueOf, wireOf, type Draft } from './field-values.ts'
import classes from './key-facts.module.css'
import { usePageCommand } from './page-commands.ts'
import { callsOf, type AnyRecord } from './record-calls.ts'
import { CreatesHere } from './record-form.tsx'
import { useKind, type Field, type Kind } from './record-kinds.ts'
import { collectionOf } from './record-place.ts'
import { lastEntry } from './record-queries.ts'
import { offerUndo } from './undoing.ts'
import { t } from '../base/texts.ts'

interface KeyFactsProps {
  readonly entityType: string
  readonly record: AnyRecord
  /** The fields that are shown elsewhere on the page. */
  readonly without?: readonly string[]
  /** The fields that can still be changed when the others cannot, such as in a sent document. */
  readonly onlyEditable?: readonly string[]
  /** Facts that are no fields. */
  readonly children?: ReactNode
}

/** The facts of a record, field by field, each changed in place. */
export function KeyFacts({ entityType, record, without = [], onlyEditable, children }: KeyFactsProps) {
  const kind = useKind(entityType)
  const [showsEmpty, setShowsEmpty] = useState(false)
  if (kind === undefined)
    return (
      <Panel title={t('Key facts')}>
        <LoadingLines lines={8} />
      </Panel>
    )
  const left = kind.fields.filter(
    // What a task is for stands beside its facts, with names.
    ({ key }) => key !== 'links' && !without.includes(key) && !(kind.pipelines.length > 0 && placeFields.includes(key)),
  )
  const isPinned = ({ group, readOnly }: Field) => group === 'MAIN' && !readOnly
  const shown = left.filter((field) => isPinned(field) || (hasValue(record, field) && !isQuiet(record, field)))
  const empty = left.filter((field) => !shown.includes(field) && !field.readOnly && field.type !== 'OTHER')
  const isKept = ({ group }: Field) => group === 'SYSTEM'
  const visible = left.filter((field) => shown.includes(field) || (showsEmpty && empty.includes(field)))
  const mayEdit = (field: Field) =>
    kind.may.update && !field.readOnly && field.type !== 'OTHER' && (onlyEditable?.includes(field.key) ?? true)
  const fact = (field: Field) => (
    <Fact key={field.key} field={field} kind={kind} record={record} isEditable={mayEdit(field)} />
  )
  return (
    <Panel title={t('Key facts')} note={<ChangedByOthers key={record.id} entityType={entityType} record={record} />}>
      <CreatesHere>
        <dl className={classes.facts}>
          {visible.filter((field) => isFirst(field, kind)).map(fact)}
          {children}
        </dl>
        {groups.map(([group, heading]) => {
          const fields = visible.filter((field) => field.group === group && !isFirst(field, kind))
          return fields.length === 0 ? null : (
            <FactGroup key={group} heading={heading}>
              {fields.map(fact)}
            </FactGroup>
          )
        })}
      </CreatesHere>
      {empty.length > 0 && (
        <UnstyledButton className={classes.more} aria-expanded={showsEmpty} onClick={() => setShowsEmpty(!showsEmpty)}>
          {showsEmpty ? t('Hide empty fields') : t('Show empty fields ({length})', { length: empty.length })}
        </UnstyledButton>
      )}
      <dl className={classes.kept}>{shown.filter(isKept).map(fact)}</dl>
    </Panel>
  )
}

/** Whether a fact that the service computes says only that nothing is wrong, such as “Rotting: No”. */
function isQuiet(record: AnyRecord, field: Field): boolean {
  return field.readOnly && field.type === 'BOOLEAN' && record[field.key] === false
}

/** The groups below the most important fields. */
const groups: readonly (readonly [Field['group'], string])[] = [
  ['MORE', t('Details')],
  ['ORIGIN', t('Origin')],
  ['CUSTOM', t('Custom fields')],
]

/** Whether a field stands above the groups; the own fields of a custom entity do, because they are what it consists of. */
function isFirst({ group }: Field, { isCustom }: Kind): boolean {
  return group === 'MAIN' || (isCustom && group === 'CUSTOM')
}

function FactGroup({ heading, children }: { readonly heading: string; readonly children: ReactNode }) {
  const id = useId()
  return (
    <div role="group" aria-labelledby={id} className={classes.group}>
      <h3 id={id}>{heading}</h3>
      <dl className={classes.facts}>{children}</dl>
    </div>
  )
}

/** The fields with the person who looks after a record. */
const ownerFields: readonly string[] = ['ownerId', 'assigneeId']

/** The stage of a record is shown above its facts, together with the status that follows from it. */
const placeFields: readonly string[] = ['stageId', 'status']

interface FactProps {
  readonly field: Field
  readonly kind: Kind
  readonly record: AnyRecord
}

function Fact({ isEditable, ...fact }: FactProps & { readonly isEditable: boolean }) {
  const { field, record } = fact
  const [isEditing, setEditing] = useState(false)
  const pencil = useFocusReturn<HTMLButtonElement>(isEditing)
  usePageCommand('owner', isEditable && ownerFields.includes(field.key) && (() => setEditing(true)))
  const edit = (event: MouseEvent) => {
    const isLink = event.target instanceof Element && event.target.closest('a, button')
    const isSelecting = (getSelection()?.toString() ?? '') !== ''
    if (isEditable && !isLink && !isSelecting) setEditing(true)
  }
  if (isEditing)
    return (
      <div className={classes.editing}>
        <dt className={classes.spoken}>{field.label}</dt>
        <dd>
          <FactEditor {...fact} onDone={() => setEditing(false)} />
        </dd>
      </div>
    )
  return (
    <div className={classes.fact} data-editable={isEditable}>
      <dt>{field.label}</dt>
      <dd onClick={edit}>
        <span className={classes.value}>
          {hasValue(record, field) ? <FieldValue {...fact} /> : <span className={classes.nothing}>–</span>}
        </span>
        {isEditable && (
          <ActionIcon
            ref={pencil}
            size="sm"
            className={classes.pencil}
            aria-label={t('Edit {label}', { label: field.label })}
            onClick={() => setEditing(true)}
          >
            <Icon name="edit" size={14} />
          </ActionIcon>
        )}
      </dd>
    </div>
  )
}

/** Field types that are saved by the choice itself. */
const chosen: readonly Field['type'][] = ['SELECT', 'BOOLEAN', 'REFERENCE']
/** Field types in whose controls Enter has a meaning of its own. */
const severalLines: readonly Field['type'][] = [
  'LONG_TEXT',
  'TAGS',
  'TEXT_LIST',
  'MULTI_SELECT',
  'REFERENCE_LIST',
  'ADDRESS',
]

interface FactEditorProps extends FactProps {
  onDone(): void
  /** Goes on to the next field after the Tab key saved this one. */
  onNext?(): void
  /** Whether a field on one line has no buttons while nothing is wrong. */
  readonly isBare?: boolean
}

/** The control of one field, which saves it; the other values of the record stay as they are. */
export function FactEditor({ field, kind, record, onDone, onNext, isBare = false }: FactEditorProps) {
  const [shown] = useState(record)
  const [draft, setDraft] = useState<Draft>(() => draftOf(field, valueOf(record, field)))
  const [problem, setProblem] = useState<string>()
  const goesOn = useRef(false)
  const saving = useFieldChange({
    field,
    kind,
    shown,
    record,
    onDone: () => (goesOn.current ? (onNext ?? onDone)() : onDone()),
  })
  const isChosen = chosen.includes(field.type)
  const isDirty = JSON.stringify(wireOf(field, draft)) !== JSON.stringify(valueOf(shown, field))
  const save = (next: Draft) => {
    if (saving.isPending) return
    if (field.required && isEmptyDraft(field, next))
      return setProblem(t('{label} is required.', { label: field.label }))
    setProblem(undefined)
    saving.mutate({ draft: next, isForced: false })
  }
  const change = (next: Draft) => {
    setDraft(next)
    if (isChosen) save(next)
  }
  const leave = (event: FocusEvent<HTMLElement>) => {
    const isInside = event.relatedTarget === null || event.currentTarget.contains(event.relatedTarget)
    if (isInside || saving.error !== null || event.relatedTarget?.closest('[data-portal]')) return
    if (isDirty && !isChosen) save(draft)
    else if (!saving.isPending) onDone()
  }
  const byKeys = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.stopPropagation()
      return onDone()
    }
    goesOn.current = event.key === 'Tab' && !event.shiftKey && onNext !== undefined
    if (goesOn.current) {
      event.preventDefault()
      if (isDirty) save(draft)
      else onNext?.()
      return
    }
    const isSave = event.key === 'Enter' && (event.ctrlKey || event.metaKey || !severalLines.includes(field.type))
    if (!isSave || isChosen) return
    event.preventDefault()
    if (isDirty) save(draft)
    else onDone()
  }
  const errors = errorsByField(fieldErrors(saving.error))
  const ownError = problem ?? errors[field.key] ?? errors['']
  const isOneLine = isChosen || !severalLines.includes(field.type)
  const hasButtons = !isChosen && !(isBare && isOneLine && saving.error === null)
  const conflict = saving.error instanceof Conflict ? saving.error : undefined
  return (
    <div data-editor onBlur={leave} onKeyDown={byKeys} className={classes.editor} aria-busy={saving.isPending}>
      <FieldControl
        field={field}
        kind={kind}
        draft={draft}
        pipelineId={typeof record['pipelineId'] === 'string' ? record['pipelineId'] : null}
        error={ownError}
        autoFocus
        isOpen={isChosen}
        onChange={change}
      />
      {conflict ? (
        <ConflictNotice
          conflict={conflict}
          field={field}
          kind={kind}
          onSave={() => saving.mutate({ draft, isForced: true })}
          onKeep={onDone}
        />
      ) : (
        <>
          {saving.error !== null && ownError === undefined && <RefusalAlert error={saving.error} />}
          {hasButtons && (
            <Group gap="xs">
              <Button size="xs" loading={saving.isPending} onClick={() => (isDirty ? save(draft) : onDone())}>
                {t('Save')}
              </Button>
              <Button size="xs" variant="default" onClick={onDone}>
                {t('Cancel')}
              </Button>
            </Group>
          )}
        </>
      )}
    </div>
  )
}

interface ConflictProps extends Pick<FactProps, 'field' | 'kind'> {
  readonly conflict: Conflict
  onSave(): void
  onKeep(): void
}

/** Says what somebody else made of a field that is being edited, and asks which value stays. */
function ConflictNotice({ conflict, field, kind, onSave, onKeep }: ConflictProps) {
  return (
    <div role="alert" className={classes.conflict}>
      <p>
        {t.rich('{by} changed {label} to <value>it</value> while you were editing.', {
          by: conflict.by,
          label: field.label,
          value: () => (
            <b>
              {hasValue(conflict.latest, field) ? (
                <FieldValue field={field} kind={kind} record={conflict.latest} />
              ) : (
                t('nothing')
              )}
            </b>
          ),
        })}
      </p>
      <Group gap="xs">
        <Button size="xs" onClick={onSave}>
          {t('Save mine')}
        </Button>
        <Button size="xs" variant="default" onClick={onKeep}>
          {t('Keep theirs')}
        </Button>
      </Group>
    </div>
  )
}

/** Somebody else changed the field while it was being edited. */
class Conflict extends Error {
  readonly latest: AnyRecord
  readonly by: string

  constructor(latest: AnyRecord, by: string) {
    super(t('The field was changed by someone else'))
    this.latest = latest
    this.by = by
  }
}

interface Changing extends FactProps {
  /** The record at the beginning of the editing. */
  readonly shown: AnyRecord
  onDone(): void
}

/** Saves one field. Other people's changes of the record stay; only another value of this very field is a conflict. */
function useFieldChange({ field, kind, shown, record, onDone }: Changing) {
  const client = useQueryClient()
  const { get, update } = callsOf(kind.key)
  const collection = collectionOf(kind.key)
  return useMutation({
    mutationFn: async ({ draft, isForced }: { readonly draft: Draft; readonly isForced: boolean }) => {
      const body = bodyOf(kind, { [field.key]: wireOf(field, draft) })
      try {
        return await update(record.id, { ...body, version: shown.version })
      } catch (error) {
        if (!isRefusedWith(error, 'VERSION_CONFLICT')) throw error
        const latest = await get(record.id)
        const isSame = JSON.stringify(valueOf(latest, field)) === JSON.stringify(valueOf(shown, field))
        if (isSame || isForced) return update(record.id, { ...body, version: latest.version })
        const last = await lastEntry({ entityType: kind.key, entityId: record.id })
        throw new Conflict(latest, last?.actor.name ?? t('Unknown user'))
      }
    },
    onSuccess: async ({ data, undoId }) => {
      client.setQueryData([collection, 'one', record.id], data)
      onDone()
      offerUndo(client, t('{label} changed', { label: field.label }), undoId)
      await client.invalidateQueries({ queryKey: [collection] })
    },
  })
}
