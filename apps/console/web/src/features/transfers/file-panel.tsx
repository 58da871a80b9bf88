import { isCustomFieldKey, transferredEntities, type MigrationFilePlan, type MigrationPlanChange } from '@crm/contract'
import { Alert, Group, NativeSelect, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSession } from '../../base/session.ts'
import { describeDay, describeInstant } from '../../base/moments.ts'
import { capitalized, inDigits } from '../../base/texts.ts'
import { kindName } from '../../records/kind-words.ts'
import { RecordTable, RowNote, RowTitle } from '../../records/record-table.tsx'
import { Panel } from '../../shell/page.tsx'
import { migrationFieldsQuery, type MigrationField } from './migration-queries.ts'
import {
  decimalName,
  decimals,
  faultInWords,
  orderName,
  orders,
  problemInWords,
  targetName,
} from './migration-words.ts'
import classes from './moving.module.css'
import { t } from './texts.ts'

type Column = MigrationFilePlan['columns'][number]
type Wish = NonNullable<MigrationPlanChange['customFields']>[number]

interface FilePanelProps {
  readonly file: MigrationFilePlan
  readonly customFields: readonly Wish[]
  readonly isLocked: boolean
  onChange(change: MigrationPlanChange): void
}

/** Columns below this are marked, so that a person looks at them. */
const sureFrom = 0.6

/** A file of a migration: what its rows are, and where each column goes. */
export function FilePanel({ file, customFields, isLocked, onChange }: FilePanelProps) {
  const { may } = useSession()
  const kinds = transferredEntities.filter((kind) => may(`CREATE_${kind}`))
  const { data: fields = [] } = useQuery({
    ...migrationFieldsQuery(file.kind ?? 'CONTACT'),
    enabled: file.kind !== null,
  })
  const changeFile = (change: Omit<NonNullable<MigrationPlanChange['files']>[number], 'id'>) =>
    onChange({ files: [{ id: file.id, ...change }] })
  return (
    <Panel title={file.name} note={t('{count, plural, one {# row} other {# rows}}', { count: file.rows })}>
      <div className={classes.stack}>
        {file.problem !== null && (
          <Alert color={file.problemCode === 'LEFT_OUT' ? 'yellow' : 'red'}>{faultInWords(file)}</Alert>
        )}
        <Group gap="md" align="flex-end">
          <NativeSelect
            label={t('What each row is')}
            value={file.kind ?? ''}
            disabled={isLocked || file.problem !== null}
            onChange={({ currentTarget }) =>
              changeFile({ kind: kinds.find((kind) => kind === currentTarget.value) ?? null })
            }
            data={[
              ...kinds.map((value) => ({ value, label: kindName(value) })),
              {
                value: '',
                label: file.part
                  ? t('Lines of {name}: they come with their records', { name: kindName(file.part.kind) })
                  : t('Leave this file out'),
              },
            ]}
          />
          {file.sheets.length > 1 && (
            <NativeSelect
              label={t('Sheet')}
              value={file.sheet ?? ''}
              disabled={isLocked}
              onChange={({ currentTarget }) => changeFile({ sheet: currentTarget.value })}
              data={file.sheets}
            />
          )}
        </Group>
        {file.kind !== null && file.columns.length > 0 && (
          <RecordTable
            label={t('Columns of {name}', { name: file.name })}
            rows={file.columns}
            columns={[
              {
                label: t('Column'),
                cell: ({ header, lostLetters }) => (
                  <RowTitle note={lostLetters ? t('The program that wrote this file lost some letters.') : undefined}>
                    {header}
                  </RowTitle>
                ),
              },
              {
                label: t('First values'),
                isExtra: true,
                cell: ({ samples }) => <span className={classes.values}>{samples.join(' · ')}</span>,
              },
              {
                label: t('Goes to'),
                cell: (column) => (
                  <Target
                    column={column}
                    file={file}
                    fields={fields}
                    customFields={customFields}
                    isLocked={isLocked}
                    onChange={onChange}
                  />
                ),
              },
            ]}
          />
        )}
        <SkippedLines file={file} />
      </div>
    </Panel>
  )
}

interface TargetProps extends FilePanelProps {
  readonly column: Column
  readonly fields: readonly MigrationField[]
}

const newField = ' new'
const missing = ['CREATE', 'EMPTY', 'SKIP', 'FAIL'] as const
const missingNames: Readonly<Record<(typeof missing)[number], string>> = {
  CREATE: t('Create it'),
  EMPTY: t('Leave empty'),
  SKIP: t('Skip the row'),
  FAIL: t('Report the row'),
}

function Target({ column, file, fields, customFields, isLocked, onChange }: TargetProps) {
  const { at, header, field, onMissing, confidence } = column
  const { may } = useSession()
  const wished = customFields.filter(({ kind }) => kind === file.kind)
  const targets = [
    ...fields.map((target) => ({ value: target.field, label: targetName(target) })),
    ...wished.map(({ key, label }) => ({ value: `cf_${key}`, label })),
  ]
  const taken = new Set(file.columns.flatMap((other) => (other.at === at || other.field === null ? [] : [other.field])))
  const isFree = (value: string) =>
    !taken.has(value) || fields.some((target) => target.field === value && target.takesSeveral)
  const change = (next: Partial<Pick<Column, 'field' | 'onMissing'>>) =>
    onChange({ files: [{ id: file.id, columns: [{ at, ...next }] }] })
  const choose = (value: string) => {
    if (value !== newField || file.kind === null) return change({ field: value === '' ? null : value })
    const key = keyFor(header, [...wished.map((one) => one.key), ...fields.map((one) => one.field.replace(/^cf_/, ''))])
    onChange({
      customFields: [...customFields, { kind: file.kind, key, label: header.slice(0, 100), type: 'TEXT' }],
      files: [{ id: file.id, columns: [{ at, field: `cf_${key}` }] }],
    })
  }
  const mayCreate = may('MANAGE_CUSTOM_FIELDS') && header !== '' && field === null
  return (
    <div className={classes.target}>
      <NativeSelect
        aria-label={t('Where {header} goes', { header })}
        value={field ?? ''}
        disabled={isLocked}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
        data={[
          { value: '', label: t('Leave out') },
          ...(mayCreate ? [{ value: newField, label: t('New field “{label}”', { label: header }) }] : []),
          ...targets.map((target) => ({ ...target, disabled: !isFree(target.value) })),
        ]}
      />
      {onMissing !== null && field !== null && (
        <NativeSelect
          aria-label={t('If {header} is not found', { header })}
          value={onMissing}
          disabled={isLocked}
          onChange={({ currentTarget }) => change({ onMissing: missing.find((one) => one === currentTarget.value) })}
          data={missing.map((value) => ({
            value,
            label: `${t('If there is none')}: ${missingNames[value]}`,
          }))}
        />
      )}
      {field !== null && (
        <Written column={column} file={file} fields={fields} isLocked={isLocked} onChange={onChange} />
      )}
      {field !== null && confidence < sureFrom && !isLocked && (
        <span className={classes.unsure}>{t('Please check')}</span>
      )}
    </div>
  )
}

/** How days or numbers of a column are written, and what the first ones mean so. */
function Written({
  column: { at, header, field, format, samples, reads },
  file,
  fields,
  isLocked,
  onChange,
}: Pick<TargetProps, 'column' | 'file' | 'fields' | 'isLocked' | 'onChange'>) {
  if (reads === undefined || samples.length === 0) return null
  const type = fields.find((target) => target.field === field)?.type ?? ''
  const change = (own: Partial<Pick<Column['format'], 'order' | 'decimal'>>) =>
    onChange({ files: [{ id: file.id, columns: [{ at, format: own }] }] })
  return (
    <>
      {dayTypes.has(type) ? (
        <NativeSelect
          aria-label={t('Dates in {name}', { name: header })}
          value={format.order ?? file.order ?? ''}
          disabled={isLocked}
          onChange={({ currentTarget }) => change({ order: orders.find((one) => one === currentTarget.value) ?? null })}
          data={[
            { value: '', label: t('How is this written?'), disabled: true },
            ...orders.map((value) => ({ value, label: orderName(value) })),
          ]}
        />
      ) : (
        <NativeSelect
          aria-label={t('Numbers in {name}', { name: header })}
          value={format.decimal ?? file.decimal ?? ''}
          disabled={isLocked}
          onChange={({ currentTarget }) =>
            change({ decimal: decimals.find((one) => one === currentTarget.value) ?? null })
          }
          data={[
            { value: '', label: t('How is this written?'), disabled: true },
            ...decimals.map((value) => ({ value, label: decimalName(value) })),
          ]}
        />
      )}
      <ul className={classes.reads} aria-label={t('What {header} is read as', { header })}>
        {samples.map((sample, place) => (
          <li key={sample}>
            {sample} → {readInWords(reads[place] ?? null, type)}
          </li>
        ))}
      </ul>
    </>
  )
}

/** Returns a value as the file is read: a day in words, so that nobody mistakes it once more. */
function readInWords(read: string | null, type: string): string {
  if (read === null) return t('cannot be read so')
  if (type === 'day') return describeDay(read, 'UTC')
  if (type === 'instant') return describeInstant(read)
  return inDigits(Number(read), { maximumFractionDigits: 6 })
}

const dayTypes: ReadonlySet<string> = new Set(['day', 'instant'])

/** Returns the key of a new custom field: the words of its title, with a number where it is taken. */
function keyFor(title: string, taken: readonly string[]): string {
  const [first = '', ...rest] =
    title
      .normalize('NFKD')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? []
  const words = [first, ...rest.map(capitalized)].join('').replace(/^\d+/, '').slice(0, keyMax)
  const base = words === '' ? 'field' : `${words.charAt(0).toLowerCase()}${words.slice(1)}`
  const keys = [base, ...Array.from({ length: taken.length + 1 }, (_, at) => `${base}${at + 2}`)]
  return keys.find((key) => !taken.includes(key) && isCustomFieldKey(key)) ?? base
}

/** A key has up to 40 letters and digits; a number may follow. */
const keyMax = 36

function SkippedLines({ file: { skipped, skippedRows } }: { readonly file: MigrationFilePlan }) {
  if (skipped.length === 0) return null
  return (
    <details>
      <summary>
        <Text component="span" size="sm">
          {t('{count, plural, one {# line is no record} other {# lines are no records}}', {
            count: Math.max(skippedRows, skipped.length),
          })}
        </Text>
      </summary>
      <RecordTable
        label={t('{count, plural, one {# line is no record} other {# lines are no records}}', {
          count: skipped.length,
        })}
        rows={skipped}
        columns={[
          { label: t('Line'), isNumber: true, cell: ({ line }) => line },
          { label: t('Text'), cell: ({ text }) => <RowNote>{text}</RowNote> },
          {
            label: t('Reason'),
            cell: ({ code }) => (code === null ? t('Above the header') : problemInWords({ code, values: {} })),
          },
        ]}
      />
    </details>
  )
}
