import { kindName } from '../../records/kind-words.ts'
import { transferredEntities, type MatchField, type TransferredEntity } from '@crm/contract'
import { Button, FileInput, Group, Modal, NativeSelect, Radio, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { settings } from '../../base/api.ts'
import { useSession } from '../../base/session.ts'
import { RecordTable, RowNote, RowTitle } from '../../records/record-table.tsx'
import { RefusalAlert } from '../../shell/states.tsx'
import { previewOf, type CsvPreview } from './csv-preview.ts'
import { importFieldsQuery } from './transfer-queries.ts'
import { doubledFields, guessMapping, targetFields, type TargetField } from './transfer-words.ts'
import { t } from '../../base/texts.ts'

interface NewImportDialogProps {
  /** The kind that the dialog begins with. */
  readonly asked: TransferredEntity | undefined
  onStarted(id: string): void
  onClose(): void
}

interface ChosenFile {
  readonly file: File
  readonly preview: CsvPreview
}

const duplicateChoices = ['SKIP', 'UPDATE', 'CREATE'] as const
type OnDuplicate = (typeof duplicateChoices)[number]

/** Asks for a file, the meaning of its columns, and the treatment of existing records. */
export function NewImportDialog({ asked, onStarted, onClose }: NewImportDialogProps) {
  const { may } = useSession()
  const entities = transferredEntities.filter((entity) => may(`CREATE_${entity}`))
  const [entityType, setEntityType] = useState<TransferredEntity>(
    entities.find((entity) => entity === asked) ?? entities[0] ?? 'LEAD',
  )
  const [chosen, setChosen] = useState<ChosenFile | null>(null)
  const [changed, setChanged] = useState<Readonly<Record<string, string>>>({})
  const [onDuplicate, setOnDuplicate] = useState<OnDuplicate>('SKIP')
  const [matchBy, setMatchBy] = useState<'email' | 'phone'>('email')
  const { data: known = [] } = useQuery(importFieldsQuery(entityType))
  const fields = targetFields(entityType, known)
  const mapping = mappingOf(chosen?.preview.header ?? [], fields, changed)
  const doubled = doubledFields(mapping).map((field) => fields.find(({ value }) => value === field)?.label ?? field)
  const start = useMutation({
    mutationFn: (file: File) =>
      settings.imports.create({
        form: formOf(file, { entityType, mapping, onDuplicate, ...(entityType === 'PRODUCT' ? {} : { matchBy }) }),
      }),
    onSuccess: ({ data }) => onStarted(data.id),
  })
  const choose = async (file: File | null) => {
    setChanged({})
    setChosen(file === null ? null : { file, preview: await previewOf(file) })
  }
  return (
    <Modal opened onClose={onClose} title={t('transfers.newImport')} size="xl">
      <Stack>
        <Group grow align="flex-start">
          <NativeSelect
            label={t('common.recordType')}
            value={entityType}
            onChange={(event) =>
              setEntityType(entities.find((entity) => entity === event.currentTarget.value) ?? 'LEAD')
            }
            data={entities.map((value) => ({ value, label: kindName(value) }))}
          />
          <FileInput
            label={t('transfers.csvFile')}
            placeholder={t('transfers.chooseAFile')}
            accept=".csv,text/csv,text/plain"
            value={chosen?.file ?? null}
            onChange={(file) => void choose(file)}
          />
        </Group>
        {chosen !== null && (
          <MappingTable
            preview={chosen.preview}
            fields={fields}
            mapping={mapping}
            onMap={(title, field) => setChanged({ ...changed, [title]: field })}
          />
        )}
        {entityType !== 'DEAL' && (
          <Duplicates
            onDuplicate={onDuplicate}
            matchBy={entityType === 'PRODUCT' ? 'sku' : matchBy}
            mayUpdate={may(`UPDATE_${entityType}`)}
            onChange={setOnDuplicate}
            onMatchBy={setMatchBy}
          />
        )}
        {doubled.length > 0 && (
          <Text size="sm" c="red" role="alert">
            {t('transfers.doubledOnlyOneColumnCan', { doubled: doubled.join(', ') })}
          </Text>
        )}
        <RefusalAlert error={start.error} />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button
            loading={start.isPending}
            disabled={chosen === null || Object.keys(mapping).length === 0 || doubled.length > 0}
            onClick={() => chosen !== null && start.mutate(chosen.file)}
          >
            {t('transfers.import')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

/** Returns the guessed mapping, except for the columns that the person has set. */
function mappingOf(
  header: readonly string[],
  fields: readonly TargetField[],
  changed: Readonly<Record<string, string>>,
): Record<string, string> {
  const known = new Set(fields.map(({ value }) => value))
  return Object.fromEntries(
    Object.entries({ ...guessMapping(header, fields), ...changed }).filter(([, field]) => known.has(field)),
  )
}

function formOf(file: File, options: object): FormData {
  const form = new FormData()
  form.append('options', JSON.stringify(options))
  form.append('file', file)
  return form
}

interface MappingTableProps {
  readonly preview: CsvPreview
  readonly fields: readonly TargetField[]
  readonly mapping: Readonly<Record<string, string>>
  onMap(title: string, field: string): void
}

function MappingTable({ preview: { header, rows }, fields, mapping, onMap }: MappingTableProps) {
  if (header.length === 0)
    return (
      <Text size="sm" c="red" role="alert">
        {t('transfers.theFileHasNoLine')}
      </Text>
    )
  return (
    <RecordTable
      label={t('transfers.columns')}
      rows={header.map((title, at) => ({
        title,
        values: rows
          .map((row) => row[at] ?? '')
          .filter(Boolean)
          .slice(0, 3),
      }))}
      columns={[
        { label: t('transfers.column'), cell: ({ title }) => <RowTitle>{title}</RowTitle> },
        { label: t('transfers.firstValues'), cell: ({ values }) => <RowNote>{values.join(' · ')}</RowNote> },
        {
          label: t('transfers.field'),
          cell: ({ title }) => (
            <NativeSelect
              aria-label={t('transfers.fieldForTitle', { title })}
              value={mapping[title] ?? ''}
              onChange={(event) => onMap(title, event.currentTarget.value)}
              data={[{ value: '', label: t('transfers.skipped') }, ...fields]}
            />
          ),
        },
      ]}
    />
  )
}

interface DuplicatesProps {
  readonly onDuplicate: OnDuplicate
  readonly matchBy: MatchField
  readonly mayUpdate: boolean
  onChange(choice: OnDuplicate): void
  onMatchBy(choice: 'email' | 'phone'): void
}

function Duplicates({ onDuplicate, matchBy, mayUpdate, onChange, onMatchBy }: DuplicatesProps) {
  return (
    <Group align="flex-end" gap="xl">
      <Radio.Group
        label={t('transfers.ifAMatchExists')}
        value={onDuplicate}
        onChange={(value) => onChange(duplicateChoices.find((choice) => choice === value) ?? 'SKIP')}
      >
        <Group gap="md" mt="xs">
          <Radio value="SKIP" label={t('transfers.skip')} />
          <Radio value="UPDATE" label={t('transfers.update')} disabled={!mayUpdate} />
          {matchBy !== 'sku' && <Radio value="CREATE" label={t('transfers.addAnother')} />}
        </Group>
      </Radio.Group>
      {matchBy === 'sku' ? (
        <Text size="sm" c="dimmed">
          {t('transfers.productsAreFoundByTheir')}
        </Text>
      ) : (
        onDuplicate !== 'CREATE' && (
          <NativeSelect
            label={t('transfers.matchedOn')}
            value={matchBy}
            onChange={(event) => onMatchBy(event.currentTarget.value === 'phone' ? 'phone' : 'email')}
            data={[
              { value: 'email', label: t('transfers.email') },
              { value: 'phone', label: t('common.phone') },
            ]}
          />
        )
      )}
    </Group>
  )
}
