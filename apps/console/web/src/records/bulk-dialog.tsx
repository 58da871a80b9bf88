import { Button, Group, Modal, Select, Stack, Text } from '@mantine/core'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { notify, notifyRefusal } from '../shell/notices.tsx'
import { LoadingLines, RefusalAlert } from '../shell/states.tsx'
import {
  changeMany,
  deleteMany,
  doneOf,
  undoChange,
  undoDelete,
  type BulkChange,
  type BulkTarget,
} from './bulk-changes.ts'
import { FieldControl } from './field-control.tsx'
import { isEmptyDraft, wireOf, type Draft } from './field-values.ts'
import type { BulkAnswer } from './record-calls.ts'
import { capitalized, type Field, type Kind } from './record-kinds.ts'
import { collectionOf } from './record-place.ts'

/** The actions for many records. */
export type BulkTask = 'Change owner' | 'Change stage' | 'Add tags' | 'Edit field' | 'Delete'

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
  'Change owner': 'ownerId',
  'Change stage': 'stageId',
  'Add tags': 'tags',
}

/** Asks for a change of many records, and shows its outcome before it is made. */
export function BulkDialog({ task, kind, fields, target, count, onDone, onClose }: BulkDialogProps) {
  const [fieldKey, setFieldKey] = useState(fieldOfTask[task] ?? null)
  const [draft, setDraft] = useState<Draft>(null)
  const pipelineId = usePipelineOf(kind, target)
  const field = kind.fields.find(({ key }) => key === fieldKey)
  const change = task === 'Delete' ? null : changeOf(task, field, draft, pipelineId)
  const isSettled = task === 'Delete' || change !== null
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
  const verb = task === 'Delete' ? 'Delete' : 'Change'
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isSettled && !doing.isPending && changing > 0) doing.mutate()
  }
  return (
    <Modal opened onClose={onClose} title={task}>
      <form onSubmit={submit} aria-label={task} noValidate>
        <Stack>
          {task === 'Edit field' && (
            <Select
              label="Field"
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
          {field && (
            <FieldControl
              key={field.key}
              field={field}
              kind={kind}
              draft={draft}
              pipelineId={pipelineId}
              autoFocus={task !== 'Edit field'}
              onChange={setDraft}
            />
          )}
          {isSettled && <Outcome rehearsal={rehearsal} kind={kind} count={count} verb={verb} />}
          <RefusalAlert error={doing.error} />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button
              type="submit"
              {...(task === 'Delete' ? { color: 'red' } : {})}
              disabled={!isSettled || changing === 0}
              loading={doing.isPending}
            >
              {`${verb} ${inWords(changing, kind)}`}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

function inWords(count: number, { noun, plural }: Kind): string {
  return `${count.toLocaleString('en')} ${count === 1 ? noun : plural}`
}

interface OutcomeProps {
  readonly rehearsal: {
    readonly data: BulkAnswer | { readonly jobId: string } | undefined
    readonly error: Error | null
  }
  readonly kind: Kind
  readonly count: number
  readonly verb: 'Delete' | 'Change'
}

const reasonsMax = 3

/** The outcome of a change, from the API's dry run. */
function Outcome({ rehearsal: { data, error }, kind, count, verb }: OutcomeProps) {
  if (error !== null) return <RefusalAlert error={error} />
  if (data === undefined || 'jobId' in data) return <LoadingLines lines={1} label="Checking what will change" />
  const done = data.matched - data.failed
  const left = Math.max(count, data.matched) - done
  const reasons = [...new Set(data.results.flatMap(({ message }) => message ?? []))].slice(0, reasonsMax)
  return (
    <div role="status">
      <Text size="sm">
        {`${inWords(done, kind)} will ${verb === 'Delete' ? 'be deleted' : 'change'}`}
        {left > 0 && `, ${left.toLocaleString('en')} ${reasons.length > 0 ? 'cannot' : 'you may not change'}`}
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
  if (task === 'Add tags') return { addTags: value as readonly string[] }
  if (field.key === 'stageId') return { set: { pipelineId, stageId: value } }
  return { set: { [field.key]: value } }
}

function run(entityType: string, target: BulkTarget, change: BulkChange | null, dryRun: boolean) {
  return change === null ? deleteMany(entityType, target, dryRun) : changeMany(entityType, target, change, dryRun)
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
  const said = (count: number, done: string) => `${capitalized(inWords(count, kind))} ${done}`
  const undo = async (rows: Parameters<typeof undoDelete>[1]) => {
    if (change === null) await undoDelete(kind.key, rows)
    else await undoChange(kind.key, change, rows)
    await refresh()
    notify(said(rows.length, 'restored'))
  }
  const fail = async (error: unknown) => {
    notifyRefusal(error)
    await refresh()
  }
  return useMutation({
    mutationFn: () => run(kind.key, target, change, false),
    onSuccess: async (answer) => {
      onClose()
      onDone()
      if ('jobId' in answer) notify('Running in the background')
      else {
        const rows = 'rows' in target ? doneOf(target.rows, answer) : []
        const text = said(answer.matched - answer.failed, change === null ? 'deleted' : 'changed')
        notify(text, rows.length === 0 ? undefined : { label: 'Undo', run: () => void undo(rows).catch(fail) })
      }
      await refresh()
    },
  })
}
