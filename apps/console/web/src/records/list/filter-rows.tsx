import type { FilterOperator } from '@crm/contract'
import { ActionIcon, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Icon } from '../../shell/icons.tsx'
import { decimalTyped } from '../../base/decimals.ts'
import { usePeopleNames } from '../../base/people.ts'
import { useChoices, WithPeopleWhoLeft } from '../reference-choices.ts'
import { isDay } from '../../base/typed-days.ts'
import { DayInput } from '../../shell/day-input.tsx'
import { FieldControl } from '../field-control.tsx'
import { draftOf, isEmptyDraft, wireOf, type Draft } from '../field-values.ts'
import { numberTypes, type Field, type Kind } from '../record-kinds.ts'
import { withStages } from '../stage-options.ts'
import { operatorInWords, relativeDays } from './condition-words.ts'
import type { WireCondition } from './list-address.ts'
import classes from './work-list.module.css'
import { TypedSelect } from '../../shell/typed-select.tsx'
import { capitalized, t } from '../../base/texts.ts'

/** A condition while it is being written. */
export interface Row {
  readonly id: number
  readonly field: Field | undefined
  readonly op: FilterOperator | undefined
  /** One content for each control: two for `between`. */
  readonly drafts: readonly Draft[]
}

let lastId = 0

interface ConditionRowProps {
  readonly row: Row
  readonly kind: Kind
  readonly isStrict: boolean
  readonly isFirst: boolean
  /** Whether its first empty control is open from the start. */
  readonly isOpen?: boolean
  readonly problem: string | undefined
  onChange(row: Row): void
  onRemove(): void
}

/** The controls of one condition: its field, its operator and its value. */
export function ConditionRow({
  row,
  kind,
  isStrict,
  isFirst,
  isOpen = false,
  problem,
  onChange,
  onRemove,
}: ConditionRowProps) {
  const { field, op } = row
  // Whoever has chosen a field chooses its value next.
  const [hasChosen, setChosen] = useState(false)
  const filterable = kind.fields.filter(({ operators }) => operators.length > 0)
  const chooseField = (key: string | null) => {
    const next = filterable.find((one) => one.key === key)
    setChosen(next !== undefined)
    onChange({ ...row, field: next, op: next && usualOperator(next), drafts: [] })
  }
  const chooseOperator = (next: FilterOperator) =>
    // The content stays where the next operator takes the same.
    onChange({ ...row, op: next, drafts: isSeveral(next) === isSeveral(op) && next !== 'between' ? row.drafts : [] })
  return (
    <div className={classes.condition} role="group" aria-label={t('Condition')}>
      <div>
        <TypedSelect
          label={t('Field')}
          searchable
          data={filterable.map(({ key, label }) => ({ value: key, label }))}
          value={field?.key ?? null}
          placeholder={t('Choose a field')}
          nothingFoundMessage={t('No such field')}
          openOnFocus={false}
          // The list of choices is scrolled by itself, so that it is known to belong to its field.
          withScrollArea={false}
          styles={{ options: { maxHeight: '16rem', overflowY: 'auto' } }}
          autoFocus={isOpen && field === undefined}
          defaultDropdownOpened={isOpen && field === undefined}
          data-autofocus={(isFirst && field === undefined) || undefined}
          onChange={chooseField}
        />
      </div>
      <div>
        <Select
          label={t('Operator')}
          data={(field?.operators ?? []).map((one) => ({ value: one, label: operatorInWords(one, field?.type) }))}
          value={op ?? null}
          disabled={field === undefined}
          onChange={(next) => chooseOperator(next as FilterOperator)}
        />
      </div>
      <WithPeopleWhoLeft value={true}>
        <ValueControls
          key={`${field?.key} ${op}`}
          row={row}
          kind={kind}
          isStrict={isStrict}
          isOpen={hasChosen || (isOpen && field !== undefined)}
          problem={problem}
          onChange={onChange}
        />
      </WithPeopleWhoLeft>
      <ActionIcon className={classes.removeCondition} aria-label={t('Remove condition')} onClick={onRemove}>
        <Icon name="cross" size={16} />
      </ActionIcon>
    </div>
  )
}

function ValueControls({
  row,
  kind,
  isStrict,
  isOpen = false,
  problem,
  onChange,
}: Omit<ConditionRowProps, 'isFirst' | 'onRemove'>) {
  const { field, op, drafts } = row
  if (field === undefined || op === undefined)
    return (
      <div className={classes.values}>
        <TextInput label={t('Value')} disabled value="" readOnly />
      </div>
    )
  if (isAboutEmptiness(op)) return <div />
  const set = (at: number) => (draft: Draft) =>
    onChange({ ...row, drafts: Object.assign([...drafts], { [at]: draft }) })
  const labels = op === 'between' ? [t('From'), t('To')] : [t('Value')]
  const shown = valueField(field, op, kind)
  return (
    <div className={classes.values}>
      {labels.map((label, at) => {
        const shared = {
          draft: drafts[at] ?? null,
          error: at === 0 ? problem : undefined,
          isOpen: isOpen && at === 0,
          onChange: set(at),
        }
        if (isDate(field) && !isStrict) return <DayControl key={label} label={label} {...shared} />
        return shown.type === 'REFERENCE' && shown.references === 'EMPLOYEE' && !isStrict ? (
          <PersonControl key={label} label={label} {...shared} kind={kind} />
        ) : (
          <FieldControl key={label} {...shared} autoFocus={shared.isOpen} field={{ ...shown, label }} kind={kind} />
        )
      })}
    </div>
  )
}

interface PersonControlProps extends DayControlProps {
  readonly kind: Kind
}

const me = { value: 'me', label: t('me') }

/** Chooses a person, or whoever looks at the list. */
function PersonControl({ label, draft, error, isOpen, kind, onChange }: PersonControlProps) {
  const value = typeof draft === 'string' ? draft : null
  const [text, setText] = useState('')
  const names = usePeopleNames([value === 'me' ? null : value])
  const isName = text === me.label || [...names.values()].includes(text)
  const found = useChoices({ references: 'EMPLOYEE', kind, search: isName ? '' : text.trim(), pipelineId: null })
  const chosen = value !== null && value !== 'me' && found.every((choice) => choice.value !== value)
  return (
    <TypedSelect
      label={label}
      searchable
      data={[me, ...found, ...(chosen ? [{ value, label: names.get(value) ?? '…' }] : [])]}
      value={value}
      error={error}
      autoFocus={isOpen}
      defaultDropdownOpened={isOpen}
      nothingFoundMessage={t('Nothing found')}
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
  /** Whether its choices are open from the start. */
  readonly isOpen: boolean
  onChange(draft: Draft): void
}

const exactly = 'exact'

/** Chooses a day by words, which keep their meaning in a saved view, or by date. */
function DayControl({ label, draft, error, isOpen, onChange }: DayControlProps) {
  const text = typeof draft === 'string' ? draft : ''
  const isWord = text in relativeDays
  const [isExact, setExact] = useState(text !== '' && !isWord)
  return (
    <>
      <TypedSelect
        label={label}
        searchable
        data={[
          { value: exactly, label: t('Exact date…') },
          ...Object.entries(relativeDays).map(([value, words]) => ({
            value,
            label: capitalized(words),
          })),
        ]}
        value={isExact ? exactly : isWord ? text : null}
        error={isExact ? undefined : error}
        autoFocus={isOpen}
        defaultDropdownOpened={isOpen}
        onChange={(value) => {
          setExact(value === exactly)
          onChange(value === exactly ? null : value)
        }}
      />
      {isExact && <DayInput label={t('Date')} value={text.split('T')[0]} error={error} onChange={onChange} />}
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

/** Returns a condition that is not written yet. */
export function emptyRow(): Row {
  return { id: ++lastId, field: undefined, op: undefined, drafts: [] }
}

/** Returns a known condition in the form in which it is written. */
export function rowOf({ field: key, op, value }: WireCondition, kind: Kind): Row {
  const field = kind.fields.find((one) => one.key === key)
  if (field === undefined) return emptyRow()
  const values: readonly unknown[] = op === 'between' && Array.isArray(value) ? value : [value]
  const drafts = values.map((one): Draft => {
    if (one === undefined || one === null) return null
    return Array.isArray(one) ? one.map(String) : draftOf({ type: 'TEXT' }, one)
  })
  return { id: ++lastId, field, op, drafts }
}

/** Whether a condition has all that it needs. */
export function isComplete({ field, op, drafts }: Row): boolean {
  if (field === undefined || op === undefined) return false
  if (isAboutEmptiness(op)) return true
  return (op === 'between' ? [0, 1] : [0]).every((at) => {
    const draft = drafts[at]
    if (isDate(field)) return typeof draft === 'string' && (draft in relativeDays || isDay(draft.slice(0, 10)))
    return Array.isArray(draft) ? draft.length > 0 : draft !== undefined && !isEmptyDraft({ type: 'TEXT' }, draft)
  })
}

/** Returns a written condition as the API takes it. */
export function wireRow({ field, op, drafts }: Row): WireCondition {
  const { key, type } = field as Field
  const valueOf = (draft: Draft | undefined): unknown => {
    if (Array.isArray(draft)) return numberTypes.includes(type) ? draft.map((one: string) => decimalTyped(one)) : draft
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
