import { kindOf } from '@crm/model'
import { t } from '../../base/texts.ts'
import type { Field, Kind } from '../record-kinds.ts'
import { withStages } from '../stage-options.ts'
import { operatorInWords } from './condition-words.ts'
import { membersOf, withCondition, withMembers, type WireCondition, type WireGroup } from './list-address.ts'

/** Conditions that people often want, which one click adds or takes off. */
export interface QuickFilter {
  readonly key: string
  readonly label: string
  readonly conditions: readonly WireCondition[]
}

const due: readonly string[] = ['dueAt', 'dueDate']
/** The fields that say yes about what needs somebody. */
const warnings: readonly string[] = ['isOverdue', 'hasOverdueTask', 'isRotting']

/** Returns the quick filters that the fields of a kind allow. */
export function quickFiltersOf(kind: Kind): readonly QuickFilter[] {
  const can = (key: string, op: WireCondition['op']) =>
    kind.fields.find((field) => field.key === key && field.operators.includes(op))
  const open = openOf(kind)
  const person = can('assigneeId', 'is') ?? can('ownerId', 'is')
  const day = due.map((key) => can(key, 'lte')).find((field) => field !== undefined)
  const next = can('nextTaskAt', 'empty')
  return [
    ...(person
      ? [{ key: 'mine', label: t('Mine'), conditions: [{ field: person.key, op: 'is', value: 'me' } as const] }]
      : []),
    ...(open ? [{ key: 'open', label: t('Open', { context: 'records' }), conditions: [open] }] : []),
    ...(day
      ? [
          {
            key: 'dueToday',
            label: t('Due by today'),
            // What is overdue is due as well.
            conditions: [{ field: day.key, op: 'lte', value: 'today' } as const, ...(open ? [open] : [])],
          },
        ]
      : []),
    ...(next
      ? [
          {
            key: 'noNextStep',
            label: t('No next step'),
            conditions: [{ field: next.key, op: 'empty' } as const, ...(open ? [open] : [])],
          },
        ]
      : []),
    ...warnings.flatMap((key) => {
      const field = can(key, 'is')
      return field ? [{ key, label: field.label, conditions: [{ field: key, op: 'is', value: true } as const] }] : []
    }),
  ]
}

/** Returns the condition that something is left to do about a record; undefined where nothing says so. */
function openOf(kind: Kind): WireCondition | undefined {
  const over = kindOf(kind.key)?.over
  const status = kind.fields.find(({ key, operators }) => key === 'status' && operators.includes('in'))
  if (over === undefined || status === undefined) return undefined
  const values = status.options.map(({ value }) => value).filter((value) => !over.includes(value))
  return values.length === 1
    ? { field: 'status', op: 'is', value: values[0] }
    : { field: 'status', op: 'in', value: values }
}

const facetsMax = 2

/** Returns the fields whose choices a list offers beside it: the stage, the status, and the choices of its usual columns. */
export function facetsOf(kind: Kind): readonly Field[] {
  const usual = kindOf(kind.key)?.list.columns
  return kind.fields
    .filter(({ key, operators }) => operators.includes('in') && (usual?.includes(key) ?? true))
    .map((field) => (field.key === 'stageId' ? withStages(field, kind) : field))
    .filter(({ type, options }) => type === 'SELECT' && options.length > 1)
    .sort((one, other) => Number(isProgress(other)) - Number(isProgress(one)))
    .slice(0, facetsMax)
}

const isProgress = ({ key }: Field) => key === 'stageId' || key === 'status'

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** Returns the conditions of a filter that must all hold. */
function together(group: WireGroup | undefined): readonly (WireCondition | WireGroup)[] {
  return group !== undefined && 'and' in group ? group.and : []
}

/** Whether all conditions of a quick filter hold already. */
export function holds({ conditions }: QuickFilter, group: WireGroup | undefined): boolean {
  return conditions.every((condition) => together(group).some((member) => isSame(member, condition)))
}

/** Returns the filter with the conditions of a quick filter, or without the first of them if all of them hold. */
export function toggled(quick: QuickFilter, group: WireGroup | undefined): WireGroup | undefined {
  const { conditions } = quick
  if (group !== undefined && holds(quick, group))
    return withMembers(
      group,
      membersOf(group).filter((member) => !isSame(member, conditions[0])),
    )
  return conditions
    .filter((condition) => !together(group).some((member) => isSame(member, condition)))
    .reduce<WireGroup | undefined>(withCondition, group)
}

/** Returns the chosen values of a field, and whether its condition can be changed by choosing. */
export function chosenOf({ key }: Field, group: WireGroup | undefined): readonly string[] {
  const condition = together(group).find(
    (member): member is WireCondition => 'field' in member && isChoice(member, key),
  )
  return condition === undefined ? [] : [condition.value].flat().map(String)
}

const isChoice = ({ field, op }: WireCondition, key: string) => field === key && (op === 'is' || op === 'in')

/** Returns the filter with other chosen values of a field. */
export function withChosen(
  field: Field,
  values: readonly string[],
  group: WireGroup | undefined,
): WireGroup | undefined {
  const { key } = field
  const condition: WireCondition =
    values.length === 1 ? { field: key, op: 'is', value: values[0] } : { field: key, op: 'in', value: values }
  const at = together(group).findIndex((member) => 'field' in member && isChoice(member, key))
  if (group === undefined || at < 0) return values.length === 0 ? group : withCondition(group, condition)
  return withMembers(group, membersOf(group).toSpliced(at, 1, ...(values.length === 0 ? [] : [condition])))
}

/** Returns the conditions that no quick filter and no choice of a facet shows. */
export function restOf(
  group: WireGroup | undefined,
  on: readonly QuickFilter[],
  facets: readonly Field[],
): readonly (WireCondition | WireGroup)[] {
  if (group === undefined) return []
  if ('or' in group) return group.or
  const shown = on.flatMap(({ conditions }) => conditions)
  return group.and.filter(
    (member) =>
      !shown.some((condition) => isSame(condition, member)) &&
      !('field' in member && facets.some(({ key }) => isChoice(member, key))),
  )
}

/** Returns the name of the button that offers the choices of a field: what is chosen, in the words of every other condition. */
export function facetName({ label, type, options }: Field, chosen: readonly string[]): string {
  if (chosen.length === 0) return label
  const names = chosen.map((value) => options.find((option) => option.value === value)?.label ?? value)
  return `${label} ${operatorInWords(chosen.length === 1 ? 'is' : 'in', type)} ${names.join(', ')}`
}
