import { Autocomplete, Textarea } from '@mantine/core'
import { useQuery, type UseMutationResult } from '@tanstack/react-query'
import { useState } from 'react'
import { fieldErrors } from '../../base/refusals.ts'
import { FormDialog } from '../../shell/form-dialog.tsx'
import { FieldControl } from '../field-control.tsx'
import { errorsByField, isEmptyDraft, wireOf, type Drafts } from '../field-values.ts'
import type { Changed } from '../record-calls.ts'
import type { Kind } from '../record-kinds.ts'
import { summaryQuery } from './list-queries.ts'
import { fieldsAskedBy, type Move } from './use-move.ts'
import { t } from '../../base/texts.ts'

interface MoveDialogProps {
  readonly kind: Kind
  readonly move: Move
  readonly change: UseMutationResult<Changed, Error, Move & { values?: Record<string, unknown>; comment?: string }>
  onClose(): void
}

/** Asks for what a column needs before a record comes into it. */
export function MoveDialog({ kind, move, change, onClose }: MoveDialogProps) {
  const { record, lane } = move
  const [fields] = useState(() => fieldsAskedBy(kind, move))
  const [drafts, setDrafts] = useState<Drafts>({})
  const [comment, setComment] = useState('')
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({})
  const isLost = lane.stage?.type === 'LOST'
  const reasons = useReasons(
    kind,
    fields.some(({ key }) => key === 'lostReason'),
  )
  const errors = { ...errorsByField(fieldErrors(change.error)), ...problems }
  const send = () => {
    const empty = fields.filter((field) => isEmptyDraft(field, drafts[field.key]))
    setProblems(Object.fromEntries(empty.map(({ key, label }) => [key, t('{label} is required.', { label })])))
    if (empty.length > 0) return
    const values = Object.fromEntries(fields.map((field) => [field.key, wireOf(field, drafts[field.key] ?? null)]))
    change.mutate({ ...move, values, ...(comment.trim() === '' ? {} : { comment: comment.trim() }) })
  }
  return (
    <FormDialog
      opened
      title={isLost ? t('Mark as lost') : t('Move to {label}', { label: lane.label })}
      submit={isLost ? t('Mark as lost') : t('Move')}
      isBusy={change.isPending}
      error={change.error}
      onSubmit={send}
      onClose={onClose}
    >
      {fields.map((field, at) =>
        field.key === 'lostReason' ? (
          <Autocomplete
            key={field.key}
            label={t('Lost reason')}
            data={[...reasons]}
            maxLength={500}
            withAsterisk
            error={errors[field.key]}
            data-autofocus={at === 0 || undefined}
            value={typeof drafts[field.key] === 'string' ? (drafts[field.key] as string) : ''}
            onChange={(text) => setDrafts({ ...drafts, [field.key]: text })}
          />
        ) : (
          <FieldControl
            key={field.key}
            field={field}
            kind={kind}
            draft={drafts[field.key] ?? null}
            pipelineId={typeof record['pipelineId'] === 'string' ? record['pipelineId'] : null}
            error={errors[field.key]}
            isRequired
            autoFocus={at === 0}
            onChange={(draft) => setDrafts({ ...drafts, [field.key]: draft })}
          />
        ),
      )}
      {isLost && (
        <Textarea
          label={t('Comment')}
          maxLength={5_000}
          rows={3}
          value={comment}
          onChange={(event) => setComment(event.currentTarget.value)}
        />
      )}
    </FormDialog>
  )
}

const reasonsMax = 10

/** Returns the reasons that were given most often. */
function useReasons(kind: Kind, isAsked: boolean): readonly string[] {
  const { data } = useQuery({
    ...summaryQuery(kind.key, { groupBy: 'lostReason', top: reasonsMax }),
    enabled: isAsked,
  })
  return data?.groups.flatMap(({ by }) => (typeof by[0]?.value === 'string' ? [by[0].value] : [])) ?? []
}
