import { Button, Stack, Text } from '@mantine/core'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { notify, notifyRefusal } from '../shell/notices.tsx'
import { notifyUndoable } from '../shell/undo.ts'
import { LoadingLines, RefusalAlert } from '../shell/states.tsx'
import { changeMany, deleteMany, doneOf, undoChange, type BulkChange, type BulkTarget } from './bulk-changes.ts'
import { reasonInWords } from './bulk-reasons.ts'
import { FieldControl } from './field-control.tsx'
import { isEmptyDraft, wireOf, type Draft } from './field-values.ts'
import { HeldNow } from './held-now.tsx'
import type { BulkAnswer } from './record-calls.ts'
import { countOf, type Field, type Kind } from './record-kinds.ts'
import { bulkTaskNames, type BulkTask } from './bulk-task.ts'
import { collectionOf } from './record-place.ts'
import { t } from '../base/texts.ts'
import { TypedSelect } from '../shell/typed-select.tsx'
import { Dialog, DialogButtons } from '../shell/dialog.tsx'

interface BulkDialogProps {
  readonly task: BulkTask
  readonly kind: Kind
  /** The fields that can be changed. */
  readonly fields: readonly Field[]
  readonly target: BulkTarget
  /** The number of chosen records. */
  readonly count: number
  onDone(): void
  onClose(): void
}

const fieldOfTask: Partial<Record<BulkTask, string>> = {
  owner: 'ownerId',
  stage: 'stageId',
  tags: 'tags',
  untag: 'tags',
}

/** Asks for a change of many records, and shows its outcome before it is made. */
export function BulkDialog({ task, kind, fields, target, count, onDone, onClose }: BulkDialogProps) {
  const [fieldKey, setFieldKey] = useState(fieldOfTask[task] ?? null)
  const [draft, setDraft] = useState<Draft>(null)
  const pipelineId = usePipelineOf(kind, target)
  const field = kind.fields.find(({ key }) => key === fieldKey)
  const change = task === 'delete' ? null : changeOf(task, field, draft, pipelineId)
  const isSettled = task === 'delete' || change !== null
  const rehearsal = useQuery({
    queryKey: [
      collectionOf(kind.key),
      'rehearsal',
      task,
      change,
      'rows' in target ? target.rows.map(({ id }) => id) : target,
    ],
    queryFn: () => run(kind.key, target, change, true),
    enabled: isSettled,
    placeholderData: keepPreviousData,
    gcTime: 0,
  })
  const doing = useDoing({ kind, target, change, onDone, onClose })
  const outcome = rehearsal.data && !('jobId' in rehearsal.data) ? rehearsal.data : undefined
  const changing = outcome === undefined ? count : outcome.matched - outcome.failed
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isSettled && !doing.isPending && changing > 0) doing.mutate()
  }
  return (
    <Dialog opened onClose={onClose} title={bulkTaskNames[task]}>
      <form onSubmit={submit} aria-label={bulkTaskNames[task]} noValidate>
        <Stack>
          {task === 'field' && (
            <TypedSelect
              label={t('Field')}
              searchable
              data-autofocus
              value={fieldKey}
              data={fields.map(({ key, label }) => ({ value: key, label }))}
              onChange={(key) => {
                setFieldKey(key)
                setDraft(null)
              }}
            />
          )}
          {field && <HeldNow kind={kind} field={field} target={target} />}
          {field && (
            <FieldControl
              key={field.key}
              field={field}
              kind={kind}
              draft={draft}
              pipelineId={pipelineId}
              autoFocus={task !== 'field'}
              onChange={setDraft}
            />
          )}
          {isSettled && <Outcome rehearsal={rehearsal} kind={kind} count={count} isDeletion={task === 'delete'} />}
          <RefusalAlert error={doing.error} />
          <DialogButtons>
            <Button variant="default" onClick={onClose}>
              {t('Cancel')}
            </Button>
            <Button
              type="submit"
              {...(task === 'delete' ? { color: 'red' } : {})}
              disabled={!isSettled || changing === 0}
              loading={doing.isPending}
            >
              {t(task === 'delete' ? 'Delete {records}' : 'Change {records}', {
                records: countOf(kind, changing),
              })}
            </Button>
          </DialogButtons>
        </Stack>
      </form>
    </Dialog>
  )
}

interface OutcomeProps {
  readonly rehearsal: {
    readonly data: BulkAnswer | { readonly jobId: string } | undefined
    readonly error: Error | null
  }
  readonly kind: Kind
  readonly count: number
  readonly isDeletion: boolean
}

const reasonsMax = 3

/** The outcome of a change, from the API's dry run. */
function Outcome({ rehearsal: { data, error }, kind, count, isDeletion }: OutcomeProps) {
  if (error !== null) return <RefusalAlert error={error} />
  if (data === undefined || 'jobId' in data) return <LoadingLines lines={1} label={t('Checking what will change')} />
  const done = data.matched - data.failed
  const left = Math.max(count, data.matched) - done
  const reasons = [...new Set(data.results.flatMap((result) => reasonInWords(result) ?? []))].slice(0, reasonsMax)
  return (
    <div role="status">
      <Text size="sm">
        {[
          t(isDeletion ? '{records} will be deleted' : '{records} will change', { records: countOf(kind, done) }),
          ...(left > 0
            ? [t(reasons.length > 0 ? '{count, number} cannot' : '{count, number} you may not change', { count: left })]
            : []),
        ].join(', ')}
      </Text>
      {reasons.map((reason) => (
        <Text key={reason} size="xs" c="dimmed">
          {reason}
        </Text>
      ))}
    </div>
  )
}

/** Returns the pipeline whose stages can be chosen: the records' own as far as it is known, otherwise the default one. */
function usePipelineOf({ pipelines }: Kind, target: BulkTarget): string | null {
  const first = 'rows' in target ? target.rows[0]?.['pipelineId'] : target.query['pipelineId']
  const usual = pipelines.find(({ isDefault }) => isDefault) ?? pipelines[0]
  return typeof first === 'string' ? first : (usual?.id ?? null)
}

function changeOf(
  task: BulkTask,
  field: Field | undefined,
  draft: Draft,
  pipelineId: string | null,
): BulkChange | null {
  if (field === undefined || isEmptyDraft(field, draft)) return null
  const value = wireOf(field, draft)
  if (task === 'tags') return { addTags: value as readonly string[] }
  if (task === 'untag') return { removeTags: value as readonly string[] }
  if (field.key === 'stageId') return { set: { pipelineId, stageId: value } }
  return { set: { [field.key]: value } }
}

function run(entityType: string, target: BulkTarget, change: BulkChange | null, dryRun: boolean) {
  return change === null ? deleteMany(entityType, target, dryRun) : changeMany(entityType, target, change, dryRun)
}

type Answer = Awaited<ReturnType<typeof run>>

const doneWords = {
  restored: (records: string) => t('{records} restored', { records }),
  deleted: (records: string) => t('{records} deleted', { records }),
  changed: (records: string) => t('{records} changed', { records }),
}

interface Doing {
  readonly kind: Kind
  readonly target: BulkTarget
  readonly change: BulkChange | null
  onDone(): void
  onClose(): void
}

function useDoing({ kind, target, change, onDone, onClose }: Doing) {
  const client = useQueryClient()
  const refresh = () => client.invalidateQueries({ queryKey: [collectionOf(kind.key)] })
  const said = (count: number, done: 'restored' | 'deleted' | 'changed') => doneWords[done](countOf(kind, count))
  const fail = async (error: unknown) => {
    notifyRefusal(error)
    await refresh()
  }
  const undo = async (undoId: string) => {
    const { count, failed } = await doneOf(await undoChange(undoId), t('Undoing'))
    await refresh()
    const restored = said(count, 'restored')
    notify(failed === 0 ? restored : t('{restored}, {count} changed since', { restored, count: failed }))
  }
  const tell = async (answer: Answer) => {
    const { count, undoId } = await doneOf(
      answer,
      t(change === null ? 'Deleting {many}' : 'Changing {many}', { many: kind.plural }),
    )
    const text = said(count, change === null ? 'deleted' : 'changed')
    if (undoId === null) notify(text)
    else notifyUndoable(text, () => undo(undoId).catch(fail))
    await refresh()
  }
  return useMutation({
    mutationFn: () => run(kind.key, target, change, false),
    onSuccess: (answer) => {
      onClose()
      onDone()
      void tell(answer).catch(fail)
    },
  })
}
