import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { crm } from '../../base/api.ts'
import { isRefusedWith } from '../../base/refusals.ts'
import { hasValue } from '../field-value.tsx'
import { bodyOf } from '../field-values.ts'
import { callsOf, titleOf, type AnyRecord } from '../record-calls.ts'
import type { Field, Kind } from '../record-kinds.ts'
import { collectionOf } from '../record-place.ts'
import { offerUndo } from '../undoing.ts'
import { t } from '../../base/texts.ts'

/** A column of a board. */
export interface Lane {
  readonly value: string
  readonly label: string
  readonly stage: Kind['pipelines'][number]['stages'][number] | undefined
}

/** A record on its way to another column. */
export interface Move {
  readonly record: AnyRecord
  readonly field: Field
  readonly lane: Lane
}

/** The values that a person adds to a move. */
interface Made extends Move {
  readonly values?: Readonly<Record<string, unknown>>
  readonly comment?: string
}

/** Returns the fields that a column asks for before a record comes into it. */
export function fieldsAskedBy(kind: Kind, { record, lane }: Pick<Move, 'record' | 'lane'>): readonly Field[] {
  const { stage } = lane
  if (stage === undefined) return []
  return kind.fields.filter(
    (field) =>
      !field.readOnly &&
      !hasValue(record, field) &&
      (field.requiredInStages.includes(stage.id) || (stage.type === 'LOST' && field.key === 'lostReason')),
  )
}

/** Moves records between the columns of a board; a move that needs more is asked about first. */
export function useMove(kind: Kind) {
  const client = useQueryClient()
  const [asked, setAsked] = useState<Move | null>(null)
  const [said, setSaid] = useState('')
  const collection = collectionOf(kind.key)
  const { update } = callsOf(kind.key)
  const move = useMutation({
    mutationFn: async ({ record, field, lane, values = {}, comment }: Made) => {
      const body = bodyOf(kind, { ...values, [field.key]: lane.value })
      const moved = await update(record.id, { ...body, version: record.version })
      if (comment) await crm.comments.create({ body: { entityType: kind.key, entityId: record.id, body: comment } })
      return moved
    },
    onSuccess: async ({ data, undoId }, { record, lane }) => {
      setAsked(null)
      const title = titleOf(kind, record)
      setSaid(t('{title} moved to {label}', { title, label: lane.label }))
      client.setQueryData([collection, 'one', record.id], data)
      offerUndo(client, t('Moved to {label}', { label: lane.label }), undoId)
      await client.invalidateQueries({ queryKey: [collection] })
    },
    // The refusal is shown beside the present values of the record.
    onError: (error) =>
      isRefusedWith(error, 'VERSION_CONFLICT') ? client.invalidateQueries({ queryKey: [collection] }) : undefined,
  })
  return {
    move,
    /** The move that waits for the answers of a person. */
    asked,
    said,
    /** Tells screen readers something about a move. */
    say: setSaid,
    request: (next: Move) => {
      move.reset()
      if (fieldsAskedBy(kind, next).length > 0) setAsked(next)
      else move.mutate(next)
    },
    cancel: () => {
      move.reset()
      setAsked(null)
    },
  }
}
