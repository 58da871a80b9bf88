import { Box, Radio, Select, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { t } from '../base/texts.ts'
import { FormDialog } from '../shell/form-dialog.tsx'
import { FieldValue } from './field-value.tsx'
import { differingFields } from './merge-plan.ts'
import { alikeQuery, callsOf, distinctionOf, foundRecordsQuery, titleOf, type AnyRecord } from './record-calls.ts'
import type { Kind } from './record-kinds.ts'
import { offerUndo } from './undoing.ts'

interface MergeDialogProps {
  readonly kind: Kind
  /** The record that stays. */
  readonly record: AnyRecord
  onClose(): void
}

/** Merges another record into one. Records that look like it are offered first; values that differ are chosen. */
export function MergeDialog({ kind, record, onClose }: MergeDialogProps) {
  const [text, setText] = useState('')
  const [other, setOther] = useState<AnyRecord | null>(null)
  const [preferred, setPreferred] = useState<Readonly<Record<string, string>>>({})
  const [search] = useDebouncedValue(text.trim(), 200)
  const alike = useQuery(alikeQuery(kind.key, record.id)).data ?? []
  const isChosen = other !== null && search === titleOf(kind, other)
  const found = useQuery(foundRecordsQuery(kind.key, isChosen ? '' : search)).data?.items ?? []
  const offered = new Map(
    [...(search === '' || isChosen ? alike : []), ...found, ...(other ? [other] : [])]
      .filter(({ id }) => id !== record.id)
      .map((one) => [one.id, one]),
  )
  const client = useQueryClient()
  const merge = useMutation({
    mutationFn: (source: AnyRecord) =>
      callsOf(kind.key).merge(record.id, { sourceIds: [source.id], prefer: preferred }),
    onSuccess: (undoId) => {
      onClose()
      offerUndo(client, t('records.manyMerged', { many: kind.plural }), undoId)
      // Records of many kinds belong to another one now.
      return client.invalidateQueries()
    },
  })
  return (
    <FormDialog
      opened
      title={t('records.mergeMany', { many: kind.plural })}
      submit={t('records.merge')}
      isBusy={merge.isPending}
      isIncomplete={other === null}
      isDestructive
      error={merge.error}
      onSubmit={() => other && merge.mutate(other)}
      onClose={onClose}
    >
      <Box mih={other === null ? '17rem' : undefined}>
        <Select
          label={t('records.mergeWith')}
          data-autofocus
          searchable
          data={[...offered.values()].map((one) => ({ value: one.id, label: labelOf(kind, one) }))}
          filter={({ options }) => options}
          nothingFoundMessage={t('common.nothingFound')}
          value={other?.id ?? null}
          onSearchChange={setText}
          onChange={(id) => {
            setOther(id === null ? null : (offered.get(id) ?? null))
            setPreferred({})
          }}
        />
      </Box>
      {other && (
        <>
          <Stack gap="md">
            {differingFields(kind, record, other).map((field) => (
              <Radio.Group
                key={field.key}
                label={field.label}
                value={preferred[field.key] ?? record.id}
                onChange={(id) => setPreferred({ ...preferred, [field.key]: id })}
              >
                <Stack gap={4} mt={4}>
                  {[record, other].map((one) => (
                    <Radio key={one.id} value={one.id} label={<FieldValue field={field} kind={kind} record={one} />} />
                  ))}
                </Stack>
              </Radio.Group>
            ))}
          </Stack>
          <Text size="sm">{t('records.mergeMoves', namesOf(kind, other, record))}</Text>
        </>
      )}
    </FormDialog>
  )
}

/** Names two records by their titles, and by more where these are the same. */
function namesOf(kind: Kind, other: AnyRecord, record: AnyRecord): { readonly other: string; readonly title: string } {
  const name = titleOf(kind, other) === titleOf(kind, record) ? labelOf : titleOf
  return { other: name(kind, other), title: name(kind, record) }
}

/** Names a record with what tells it from others of the same name. */
function labelOf(kind: Kind, record: AnyRecord): string {
  return [titleOf(kind, record), distinctionOf(kind, record)].filter(Boolean).join(' · ')
}
