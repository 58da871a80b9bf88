import type { FilterOperator } from '@crm/contract'
import { ActionIcon, Button, Group, Modal, Select, Stack, TextInput } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { Icon } from '../../shell/icons.tsx'
import { usePeopleNames } from '../../base/people.ts'
import { useChoices } from '../reference-choices.ts'
import { FieldControl } from '../field-control.tsx'
import { draftOf, isEmptyDraft, wireOf, type Draft } from '../field-values.ts'
import type { Field, Kind } from '../record-kinds.ts'
import { withStages } from '../stage-options.ts'
import { operatorInWords, relativeDays } from './condition-words.ts'
import { membersOf, type WireCondition, type WireGroup } from './list-address.ts'
import classes from './work-list.module.css'
import { capitalized, t } from '../../base/texts.ts'

interface FilterDialogProps {
  readonly kind: Kind
  readonly group: WireGroup | undefined
  /** Whether all conditions must hold, and values are fixed: neither “me” nor days such as “yesterday”. */
  readonly isStrict?: boolean
  onApply(group: WireGroup | undefined): void
  onClose(): void
}

/** A condition while it is being written. */
interface Row {
  readonly id: number
  readonly field: Field | undefined
  readonly op: FilterOperator | undefined
  /** One content for each control: two for `between`. */
  readonly drafts: readonly Draft[]
}

const conditionsMax = 20
let lastId = 0

/** The conditions of a list, each made of a field, an operator and a value. */
export function FilterDialog({ kind, group, isStrict = false, onApply, onClose }: FilterDialogProps) {
  const members = group === undefined ? [] : membersOf(group)
  // A group inside the filter is kept as it is.
  const kept = members.filter((member) => !('field' in member))
  const [match, setMatch] = useState<'and' | 'or'>(group !== undefined && 'or' in group ? 'or' : 'and')
  const [rows, setRows] = useState<readonly Row[]>(() => {
    const known = members.flatMap((member) => ('field' in member ? [rowOf(member, kind)] : []))
    return known.length === 0 ? [emptyRow()] : known
  })
  const [problems, setProblems] = useState<ReadonlyMap<number, string>>(new Map())
  const change = (row: Row) => setRows(rows.map((one) => (one.id === row.id ? row : one)))
  const apply = (event: FormEvent) => {
    event.preventDefault()
    const written = rows.filter(({ field }) => field !== undefined)
    const wrong = new Map(
      written.flatMap((row) => (isComplete(row) ? [] : [[row.id, t('records.enterAValue')] as const])),
    )
    setProblems(wrong)
    if (wrong.size > 0) return
    const all = [...written.map(wireRow), ...kept]
    onApply(all.length === 0 ? undefined : match === 'and' ? { and: all } : { or: all })
  }
  return (
    <Modal opened onClose={onClose} title={t('records.filter')} size="xl" classNames={{ body: classes.filterBody }}>
      <form onSubmit={apply} aria-label={t('records.filter')}>
        <Stack>
          {!isStrict && rows.length + kept.length > 1 && (
            <Select
              label={t('records.showRecordsThatMatch')}
              w="16rem"
              data={[
                { value: 'and', label: t('records.allConditions') },
                { value: 'or', label: t('records.anyCondition') },
              ]}
              value={match}
              allowDeselect={false}
              onChange={(value) => setMatch(value === 'or' ? 'or' : 'and')}
            />
          )}
          {rows.map((row, at) => (
            <ConditionRow
              key={row.id}
              row={row}
              kind={kind}
              isStrict={isStrict}
              isFirst={at === 0}
              problem={problems.get(row.id)}
              onChange={change}
              onRemove={() => setRows(rows.length === 1 ? [emptyRow()] : rows.filter(({ id }) => id !== row.id))}
            />
          ))}
          {kept.length > 0 && (
            <span className={classes.hint}>{t('records.alsoKeptLengthGroupOf', { length: kept.length })}</span>
          )}
          <Group justify="space-between">
            <Button
              variant="subtle"
              leftSection={<Icon name="plus" size={16} />}
              disabled={rows.length >= conditionsMax}
              onClick={() => setRows([...rows, emptyRow()])}
            >
              {t('records.addCondition')}
            </Button>
            <Group gap="sm">
              <Button variant="default" onClick={onClose}>
                {t('common.cancel')}
              </Button>
              <Button type="submit">{t('records.apply')}</Button>
            </Group>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

interface ConditionRowProps {
  readonly row: Row
  readonly kind: Kind
  readonly isStrict: boolean
  readonly isFirst: boolean
  readonly problem: string | undefined
  onChange(row: Row): void
  onRemove(): void
}

function ConditionRow({ row, kind, isStrict, isFirst, problem, onChange, onRemove }: ConditionRowProps) {
  const { field, op } = row
  const filterable = kind.fields.filter(({ operators }) => operators.length > 0)
  const chooseField = (key: string | null) => {
    const next = filterable.find((one) => one.key === key)
    onChange({ ...row, field: next, op: next && usualOperator(next), drafts: [] })
  }
  const chooseOperator = (next: FilterOperator) =>
    // The content stays where the next operator takes the same.
    onChange({ ...row, op: next, drafts: isSeveral(next) === isSeveral(op) && next !== 'between' ? row.drafts : [] })
  return (
    <div className={classes.condition} role="group" aria-label={t('records.condition')}>
      <div>
        <Select
          label={t('common.field')}
          searchable
          data={filterable.map(({ key, label }) => ({ value: key, label }))}
          value={field?.key ?? null}
          placeholder={t('records.chooseAField')}
          nothingFoundMessage={t('records.noSuchField')}
          openOnFocus={false}
          data-autofocus={(isFirst && field === undefined) || undefined}
          onChange={chooseField}
        />
      </div>
      <div>
        <Select
          label={t('records.operator')}
          data={(field?.operators ?? []).map((one) => ({ value: one, label: operatorInWords(one, field?.type) }))}
          value={op ?? null}
          disabled={field === undefined}
          allowDeselect={false}
          onChange={(next) => chooseOperator(next as FilterOperator)}
        />
      </div>
      <ValueControls row={row} kind={kind} isStrict={isStrict} problem={problem} onChange={onChange} />
      <ActionIcon className={classes.removeCondition} aria-label={t('records.removeCondition')} onClick={onRemove}>
        <Icon name="cross" size={16} />
      </ActionIcon>
    </div>
  )
}

function ValueControls({ row, kind, isStrict, problem, onChange }: Omit<ConditionRowProps, 'isFirst' | 'onRemove'>) {
  const { field, op, drafts } = row
  if (field === undefined || op === undefined)
    return (
      <div className={classes.values}>
        <TextInput label={t('records.value')} disabled value="" readOnly />
      </div>
    )
  if (isAboutEmptiness(op)) return <div />
  const set = (at: number) => (draft: Draft) =>
    onChange({ ...row, drafts: Object.assign([...drafts], { [at]: draft }) })
  const labels = op === 'between' ? [t('records.from'), t('common.to')] : [t('records.value')]
  const shown = valueField(field, op, kind)
  return (
    <div className={classes.values}>
      {labels.map((label, at) => {
        const shared = { draft: drafts[at] ?? null, error: at === 0 ? problem : undefined, onChange: set(at) }
        if (isDate(field) && !isStrict) return <DayControl key={label} label={label} {...shared} />
        return shown.type === 'REFERENCE' && shown.references === 'EMPLOYEE' && !isStrict ? (
          <PersonControl key={label} label={label} {...shared} kind={kind} />
        ) : (
          <FieldControl key={label} {...shared} field={{ ...shown, label }} kind={kind} />
        )
      })}
    </div>
  )
}

interface PersonControlProps extends DayControlProps {
  readonly kind: Kind
}

const me = { value: 'me', label: t('records.me') }

/** Chooses a person, or whoever looks at the list. */
function PersonControl({ label, draft, error, kind, onChange }: PersonControlProps) {
  const value = typeof draft === 'string' ? draft : null
  const [text, setText] = useState('')
  const names = usePeopleNames([value === 'me' ? null : value])
  const isName = text === me.label || [...names.values()].includes(text)
  const found = useChoices({ references: 'EMPLOYEE', kind, search: isName ? '' : text.trim(), pipelineId: null })
  const chosen = value !== null && value !== 'me' && found.every((choice) => choice.value !== value)
  return (
    <Select
      label={label}
      searchable
      data={[me, ...found, ...(chosen ? [{ value, label: names.get(value) ?? '…' }] : [])]}
      value={value}
      error={error}
      nothingFoundMessage={t('common.nothingFound')}
      filter={({ options, search }) =>
        isName
          ? options
          : options.filter(
              (option) => 'label' in option && option.label.toLowerCase().includes(search.trim().toLowerCase()),
            )
      }
      onSearchChange={setText}
      onChange={onChange}
    />
  )
}

interface DayControlProps {
  readonly label: string
  readonly draft: Draft
  readonly error: string | undefined
  onChange(draft: Draft): void
}

const exactly = 'exact'

/** Chooses a day by words, which keep their meaning in a saved view, or by date. */
function DayControl({ label, draft, error, onChange }: DayControlProps) {
  const text = typeof draft === 'string' ? draft : ''
  const isWord = text in relativeDays
  const [isExact, setExact] = useState(text !== '' && !isWord)
  return (
    <>
      <Select
        label={label}
        searchable
        data={[
          { value: exactly, label: t('records.exactDate') },
          ...Object.entries(relativeDays).map(([value, words]) => ({
            value,
            label: capitalized(words),
          })),
        ]}
        value={isExact ? exactly : isWord ? text : null}
        error={isExact ? undefined : error}
        onChange={(value) => {
          setExact(value === exactly)
          onChange(value === exactly ? null : value)
        }}
      />
      {isExact && (
        <TextInput
          type="date"
          label={t('common.date')}
          value={text.slice(0, 10)}
          error={error}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </>
  )
}

const isDate = ({ type }: Field): boolean => type === 'DATE' || type === 'DATETIME'
const isSeveral = (op: FilterOperator | undefined): boolean => op === 'in'
const isAboutEmptiness = (op: FilterOperator): boolean => op === 'empty' || op === 'notEmpty'

function usualOperator({ operators, type }: Field): FilterOperator | undefined {
  const wished: readonly FilterOperator[] =
    type === 'CURRENCY' || type === 'NUMBER' || isDate({ type } as Field)
      ? ['gte']
      : type === 'TEXT'
        ? ['contains']
        : ['is']
  return wished.find((op) => operators.includes(op)) ?? operators[0]
}

/** Returns the field in the form in which its value is chosen: one value of it, or several. */
function valueField(field: Field, op: FilterOperator, kind: Kind): Field {
  // A value of a filter may be left out, whatever records need.
  const free: Field = { ...field, required: false, default: null, group: 'CUSTOM', maxLength: 500 }
  if (field.references === 'STAGE' || field.references === 'PIPELINE')
    return { ...withStages(free, kind), type: isSeveral(op) ? 'MULTI_SELECT' : 'SELECT' }
  if (field.type === 'SELECT' || field.type === 'MULTI_SELECT')
    return { ...free, type: isSeveral(op) ? 'MULTI_SELECT' : 'SELECT' }
  if (field.type.startsWith('REFERENCE')) return { ...free, type: isSeveral(op) ? 'REFERENCE_LIST' : 'REFERENCE' }
  if (isSeveral(op)) return { ...free, type: 'TEXT_LIST' }
  return ['TAGS', 'TEXT_LIST', 'LONG_TEXT', 'EMAIL', 'PHONE'].includes(field.type) ? { ...free, type: 'TEXT' } : free
}

function emptyRow(): Row {
  return { id: ++lastId, field: undefined, op: undefined, drafts: [] }
}

function rowOf({ field: key, op, value }: WireCondition, kind: Kind): Row {
  const field = kind.fields.find((one) => one.key === key)
  if (field === undefined) return emptyRow()
  const values: readonly unknown[] = op === 'between' && Array.isArray(value) ? value : [value]
  const drafts = values.map((one): Draft => {
    if (one === undefined || one === null) return null
    return Array.isArray(one) ? one.map(String) : draftOf({ type: 'TEXT' }, one)
  })
  return { id: ++lastId, field, op, drafts }
}

function isComplete({ field, op, drafts }: Row): boolean {
  if (field === undefined || op === undefined) return false
  if (isAboutEmptiness(op)) return true
  return (op === 'between' ? [0, 1] : [0]).every((at) => {
    const draft = drafts[at]
    return Array.isArray(draft) ? draft.length > 0 : draft !== undefined && !isEmptyDraft({ type: 'TEXT' }, draft)
  })
}

function wireRow({ field, op, drafts }: Row): WireCondition {
  const { key, type } = field as Field
  const valueOf = (draft: Draft | undefined): unknown => {
    if (Array.isArray(draft)) return draft
    if (
      isDate(field as Field) ||
      type.startsWith('REFERENCE') ||
      type === 'TAGS' ||
      type === 'TEXT_LIST' ||
      type === 'MULTI_SELECT'
    )
      return draft
    return wireOf({ type }, draft ?? null)
  }
  if (isAboutEmptiness(op as FilterOperator)) return { field: key, op: op as FilterOperator }
  const value = op === 'between' ? [valueOf(drafts[0]), valueOf(drafts[1])] : valueOf(drafts[0])
  return { field: key, op: op as FilterOperator, value }
}
