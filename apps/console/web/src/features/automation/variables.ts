import { lead } from '@crm/model'
import { fieldName } from '../../records/field-words.ts'
import type { Field, Kind } from '../../records/record-kinds.ts'
import { t } from './texts.ts'
import { capitalized, terms } from '../../base/texts.ts'
import { nounValues, subjectTypeOf } from './events.ts'
import { numberOf, placedSteps, type PlacedStep, type WorkflowStep, type WorkflowTrigger } from './steps.ts'

/** A value that a step can use: of the trigger, or of an earlier step. */
export interface Variable {
  /** Its path in templates, such as `trigger.data.email`. */
  readonly path: string
  /** What it belongs to, such as “Lead”. */
  readonly source: string
  readonly label: string
  /** The field whose values it has; undefined for other values. */
  readonly field?: Field
  /** The kind of the record that it names. */
  readonly references?: string
}

const suggestedMax = 40

/** Returns the values that a trigger gives: the fields of the record, or what the last call of a webhook held. */
export function triggerVariables(trigger: WorkflowTrigger, kinds: readonly Kind[], lastBody: unknown): Variable[] {
  if (trigger.type === 'SCHEDULE') return [{ path: 'trigger.scheduledFor', source: t('Trigger'), label: t('Time') }]
  if (trigger.type !== 'EVENT') return bodyVariables(lastBody).slice(0, suggestedMax)
  const entityType = subjectTypeOf(trigger.event)
  const source = capitalized(nounValues(entityType, kinds).noun)
  const itself = { path: 'trigger.entityId', source, label: t('Record'), references: entityType }
  return [...recordVariables('trigger.data', entityType, source, kinds), itself]
}

/** Returns the values that steps give to later ones. */
export function stepVariables(steps: readonly PlacedStep[], kinds: readonly Kind[]): Variable[] {
  return steps.flatMap(({ step, position }) => {
    const source = sourceOf(step, position, kinds)
    const data = `steps.${step.key}.data`
    switch (step.type) {
      case 'CREATE_RECORD':
      case 'UPDATE_RECORD':
      case 'ASSIGN_OWNER':
        return [
          ...recordVariables(data, step.entityType, source, kinds),
          { path: `${data}.id`, source, label: t('Record'), references: step.entityType },
        ]
      case 'FIND_RECORDS':
        return [
          ...recordVariables(`${data}.first`, step.entityType, source, kinds),
          { path: `${data}.first.id`, source, label: t('Record'), references: step.entityType },
          { path: `${data}.total`, source, label: t('Number found') },
        ]
      case 'HTTP_REQUEST':
        return [
          { path: `${data}.body`, source, label: t('Response') },
          { path: `${data}.status`, source, label: t('Status code') },
        ]
      case 'SET':
        return Object.keys(step.values).map((name) => ({ path: `${data}.${name}`, source, label: name }))
      case 'SEND_EMAIL':
      case 'CONDITION':
      case 'DELAY':
      case 'START_WORKFLOW':
        return []
    }
  })
}

/** Returns the values of all steps, to name the ones that a text holds. */
export function allVariables(
  trigger: WorkflowTrigger,
  steps: readonly WorkflowStep[],
  kinds: readonly Kind[],
  lastBody?: unknown,
): Variable[] {
  return [...triggerVariables(trigger, kinds, lastBody), ...stepVariables(placedSteps(steps), kinds)]
}

function sourceOf(step: WorkflowStep, position: string, kinds: readonly Kind[]): string {
  if (step.name !== '') return step.name
  const noun =
    'entityType' in step
      ? capitalized(nounValues(step.entityType, kinds).noun)
      : t(step.type === 'HTTP_REQUEST' ? 'Request' : 'Values')
  return t('{noun} (step {number})', { noun, number: numberOf(position) })
}

function recordVariables(base: string, entityType: string, source: string, kinds: readonly Kind[]): Variable[] {
  const kind = kinds.find(({ key }) => key === entityType)
  if (kind === undefined)
    return (otherRecords[entityType] ?? []).map(({ key, ...rest }) => ({ path: `${base}.${key}`, source, ...rest }))
  return kind.fields
    .filter(({ type }) => type !== 'OTHER')
    .map((field) => ({
      path: `${base}.${pathOf(field, kind)}`,
      source,
      label: field.label,
      field,
      ...(field.type === 'REFERENCE' && field.references !== null ? { references: field.references } : {}),
    }))
}

interface OtherField {
  readonly key: string
  readonly label: string
  readonly references?: string
}

/** The fields of the records that have events but no lists of their own. */
const otherRecords: Readonly<Record<string, readonly OtherField[]>> = {
  BOOKING: [
    { key: 'inviteeName', label: t('Guest name') },
    { key: 'inviteeEmail', label: t('Guest email') },
    { key: 'inviteePhone', label: t('Guest phone') },
    { key: 'startAt', label: t('Start') },
    { key: 'endAt', label: t('End') },
    { key: 'note', label: t('Note') },
    { key: 'joinUrl', label: t('Video call link') },
    { key: 'organizerId', label: t('Owner'), references: 'EMPLOYEE' },
    { key: 'leadId', label: terms.kinds.LEAD.one, references: lead.entity },
    { key: 'contactId', label: terms.kinds.CONTACT.one, references: 'CONTACT' },
  ],
  COMMENT: [{ key: 'body', label: t('Text') }],
  EMPLOYEE: [
    { key: 'firstName', label: t('First name') },
    { key: 'lastName', label: t('Last name') },
    { key: 'email', label: t('Email') },
  ],
}

/** Returns the path of a field in a record; custom fields are in a member of their own. */
function pathOf({ key }: Field, { isCustom }: Kind): string {
  if (!key.startsWith('cf_')) return key
  return `${isCustom ? 'values' : 'customFields'}.${key.slice(3)}`
}

const isIdentifier = (key: string): boolean => /^[\p{L}_][\p{L}\p{N}_-]*$/u.test(key)

function bodyVariables(value: unknown, at: readonly string[] = []): Variable[] {
  if (value === null || typeof value !== 'object') return at.length === 0 ? [] : [ofCall(at)]
  if (Array.isArray(value))
    return value.length === 0 ? [ofCall(at)] : bodyVariables(value[0], [...at.slice(0, -1), `${at.at(-1) ?? ''}[0]`])
  return Object.entries(value)
    .filter(([key]) => isIdentifier(key))
    .flatMap(([key, item]) => bodyVariables(item, [...at, key]))
}

function ofCall(path: readonly string[]): Variable {
  return {
    path: ['trigger', ...path].join('.'),
    source: t('Call', { context: 'a request' }),
    label: path.map(fieldName).join(' › '),
  }
}

/** Returns the path of an expression; what follows it formats the value. */
export function pathIn(expression: string): string {
  return (expression.split('|')[0] ?? '').trim()
}

/** Returns an expression in words, such as “Lead › Email”. */
export function expressionName(expression: string, variables: readonly Variable[]): string {
  const path = pathIn(expression)
  const known = variables.find((variable) => variable.path === path)
  if (known !== undefined) return `${known.source} › ${known.label}`
  const [root = '', ...rest] = path.split('.').filter((part) => part !== 'data')
  const isOfStep = root === 'steps'
  // Conditions of a trigger name its data without its root.
  const names = isOfStep ? rest.slice(1) : root === 'trigger' ? rest : [root, ...rest]
  return [t(isOfStep ? 'Earlier step' : 'Trigger'), ...names.map(fieldName)].join(' › ')
}

/** A part of a text: plain, or an expression that is filled in when the step runs. */
export type TextPart = { readonly text: string } | { readonly expression: string }

/** Returns the parts of a text that may hold expressions in double braces. */
export function partsOf(text: string): readonly TextPart[] {
  return text
    .split(/(\{\{[^{}]*\}\})/)
    .filter((part) => part !== '')
    .map((part) => (part.startsWith('{{') ? { expression: part.slice(2, -2).trim() } : { text: part }))
}

/** Returns the expression that a value consists of; undefined for any other value. */
export function expressionOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const [part, ...more] = partsOf(value.trim())
  return part !== undefined && 'expression' in part && more.length === 0 ? part.expression : undefined
}

/** Returns a text with the names of its expressions. */
export function textInWords(text: string, variables: readonly Variable[]): string {
  return partsOf(text)
    .map((part) => ('text' in part ? part.text : expressionName(part.expression, variables)))
    .join('')
}
