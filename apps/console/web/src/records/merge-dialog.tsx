import { Box, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { t } from '../base/texts.ts'
import { FormDialog } from '../shell/form-dialog.tsx'
import { alikeQuery, foundRecordsQuery, labelOf, titleOf, type AnyRecord } from './record-calls.ts'
import type { Kind } from './record-kinds.ts'
import { SideBySide } from './side-by-side.tsx'
import { TypedSelect } from '../shell/typed-select.tsx'
import { useMerge } from './use-merge.ts'

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
  const merge = useMerge(kind, onClose)
  return (
    <FormDialog
      opened
      title={t('Merge {many}', { many: kind.plural })}
      submit={t('Merge')}
      isBusy={merge.isPending}
      isIncomplete={other === null}
      isDestructive
      error={merge.error}
      onSubmit={() => other && merge.mutate({ id: record.id, sourceIds: [other.id], prefer: preferred })}
      onClose={onClose}
    >
      <Box mih={other === null ? '17rem' : undefined}>
        <TypedSelect
          label={t('Merge with')}
          data-autofocus
          searchable
          data={[...offered.values()].map((one) => ({ value: one.id, label: labelOf(kind, one) }))}
          filter={({ options }) => options}
          nothingFoundMessage={t('Nothing found')}
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
          <SideBySide kind={kind} records={[record, other]} preferred={preferred} onPrefer={setPreferred} />
          <Text size="sm">
            {t(
              'Everything that belongs to “{other}” moves to “{title}”, and “{other}” disappears. You can undo this.',
              namesOf(kind, other, record),
            )}
          </Text>
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
