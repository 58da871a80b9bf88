import { memberInWords } from '../../records/list/condition-words.ts'
import type { Kind } from '../../records/record-kinds.ts'
import { inWords } from '../../records/field-words.ts'
import { t } from './texts.ts'
import { capitalized, language } from '../../base/texts.ts'
import { comparableKind, toMember, triggerPath, type Conditions } from './conditions.ts'
import { eventClause, eventName, isStageEvent, nounValues, subjectTypeOf } from './events.ts'
import { choiceOf, type WorkflowDraft, type WorkflowStep, type WorkflowTrigger } from './steps.ts'
import { allVariables, expressionName, expressionOf, textInWords, type Variable } from './variables.ts'

/** What the words of a workflow are made of besides itself. */
export interface Words {
  readonly kinds: readonly Kind[]
  /** The values that its texts may hold. */
  readonly variables: readonly Variable[]
  /** The names of people, stages and other records by id. */
  readonly names: ReadonlyMap<string, string>
  /** The currency of the workspace. */
  readonly currency: string
}

/** Returns the words of a workflow, from the values that its trigger and its steps give. */
export function wordsOf(
  { trigger, steps }: Pick<WorkflowDraft, 'trigger' | 'steps'>,
  around: Omit<Words, 'variables'>,
  lastBody?: unknown,
): Words {
  return { ...around, variables: allVariables(trigger, steps, around.kinds, lastBody) }
}

/** Returns a workflow as one sentence, such as “When a lead is created, add the task “Call”.” */
export function summaryOf({ trigger, steps }: Pick<WorkflowDraft, 'trigger' | 'steps'>, words: Words): string {
  const { clause, conditions } = triggerParts(trigger, words)
  const when =
    conditions.length === 0
      ? clause
      : t('{when} and {conditions}', { when: clause, conditions: conditionsInWords(conditions, words, true) })
  if (steps.length === 0) return t('{when}, nothing happens yet.', { when })
  return t('{when}, {steps}.', { when, steps: stepsInWords(steps, words) })
}

/** Returns a trigger as the name of its node, such as “Lead is created”. */
export function triggerName(trigger: WorkflowTrigger, kinds: readonly Kind[]): string {
  if (trigger.type === 'EVENT') return eventName(trigger.event, kinds)
  if (trigger.type === 'SCHEDULE') return t('Every day at {time}', { time: trigger.at })
  return t(trigger.type === 'WEBHOOK' ? 'Webhook is called' : 'Started by hand')
}

/** The stage that records enter by a trigger, with the condition that asks for it. */
interface EnteredStage {
  readonly id: string
  readonly condition: Conditions[number]
}

/** Returns the stage that records enter by a trigger; undefined if it is any. */
export function enteredStage(trigger: WorkflowTrigger): EnteredStage | undefined {
  if (trigger.type !== 'EVENT' || !isStageEvent(trigger.event)) return undefined
  const condition = trigger.conditions.find(
    ({ field, op }) => triggerPath(field) === 'data.stageId' && (op === 'CHANGED_TO' || op === 'EQ'),
  )
  return typeof condition?.value === 'string' ? { id: condition.value, condition } : undefined
}

function triggerParts(trigger: WorkflowTrigger, { kinds, names }: Words) {
  if (trigger.type === 'SCHEDULE') return { clause: t('Every day at {time}', { time: trigger.at }), conditions: [] }
  if (trigger.type === 'WEBHOOK') return { clause: t('When the webhook is called'), conditions: [] }
  if (trigger.type === 'MANUAL') return { clause: t('When someone starts it'), conditions: [] }
  const stage = enteredStage(trigger)
  if (stage === undefined) return { clause: eventClause(trigger.event, kinds), conditions: trigger.conditions }
  const noun = nounValues(subjectTypeOf(trigger.event), kinds)
  return {
    clause: t('When {sound, select, vowel {an} other {a}} {noun} moves to “{stage}”', {
      ...noun,
      stage: names.get(stage.id) ?? '…',
    }),
    conditions: trigger.conditions.filter((one) => one !== stage.condition),
  }
}

/** Returns conditions in words, such as “amount > 1,000 and source is Website”. */
function conditionsInWords(conditions: Conditions, words: Words, isOfTrigger: boolean): string {
  return conditions
    .map((condition) => inside(conditionInWords(condition, words, isOfTrigger)))
    .reduce((first, second) => t('{first} and {second}', { first, second }))
}

/** Returns one condition in words. */
export function conditionInWords(condition: Conditions[number], words: Words, isOfTrigger: boolean): string {
  const { kinds, variables, names, currency } = words
  const ofRecord = isOfTrigger ? variables.filter(({ path }) => path.startsWith('trigger.')) : variables
  const kind = comparableKind(ofRecord, kinds, isOfTrigger ? triggerPath : undefined)
  const member = toMember(condition, kind)
  if (member !== undefined) return memberInWords(member, kind, names, currency)
  const field = kind.fields.find(({ key }) => key === condition.field)?.label
  const label = field ?? expressionName(isOfTrigger ? `trigger.${condition.field}` : condition.field, variables)
  const value = valueInWords(condition.value, names)
  return comparisons[condition.op]({ field: label, value })
}

const comparisons: Readonly<Record<Conditions[number]['op'], (parts: Compared) => string>> = {
  EQ: (parts) => t('{field} is {value}', parts),
  NE: (parts) => t('{field} is not {value}', parts),
  IN: (parts) => t('{field} is one of {value}', parts),
  GT: (parts) => t('{field} is more than {value}', parts),
  LT: (parts) => t('{field} is less than {value}', parts),
  CONTAINS: (parts) => t('{field} contains {value}', parts),
  CHANGED_TO: (parts) => t('{field} changed to {value}', parts),
}

type Compared = Readonly<Record<'field' | 'value', string>>

function valueInWords(value: unknown, names: ReadonlyMap<string, string>): string {
  if (value === null || value === '') return t('None')
  if (Array.isArray(value)) return value.map((one) => valueInWords(one, names)).join(', ')
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return names.get(text) ?? (/^[A-Z][A-Z_]+$/.test(text) ? inWords(text) : text)
}

function stepsInWords(steps: readonly WorkflowStep[], words: Words): string {
  return steps
    .map((step) => stepInWords(step, words))
    .reduce((first, second) => t('{first}, then {second}', { first, second }))
}

/** Returns a step as a part of a sentence, such as “add the task “Call””. */
function stepInWords(step: WorkflowStep, words: Words): string {
  const { kinds, variables } = words
  switch (step.type) {
    case 'CREATE_RECORD':
      return step.entityType === 'TASK'
        ? withText(step.values['title'], variables, {
            of: (title) => t('add the task “{title}”', { title }),
            empty: t('add a task'),
          })
        : t('create {sound, select, vowel {an} other {a}} {noun}', nounValues(step.entityType, kinds))
    case 'UPDATE_RECORD':
      return updateInWords(step, words)
    case 'ASSIGN_OWNER':
      return t('assign the {noun} to {person}', {
        ...nounValues(step.entityType, kinds),
        person: nextPersonOf(step, words),
      })
    case 'FIND_RECORDS':
      return t('find {plural}', {
        plural: kinds.find(({ key }) => key === step.entityType)?.plural ?? nounValues(step.entityType, kinds).noun,
      })
    case 'HTTP_REQUEST':
      return URL.canParse(step.url) && new URL(step.url).hostname !== ''
        ? t('send a request to {host}', { host: new URL(step.url).hostname })
        : t('send a request')
    case 'SEND_EMAIL': {
      const to = typeof step.to === 'string' ? step.to : step.to.join(', ')
      return withText(to, variables, {
        of: (people) => t('send an email to {to}', { to: people }),
        empty: t('send an email'),
      })
    }
    case 'CONDITION':
      return forkInWords(step, words)
    case 'DELAY':
      return t('wait {duration}', { duration: durationInWords(step.minutes) })
    case 'SET':
      return t('set values')
    case 'START_WORKFLOW': {
      const name = words.names.get(step.workflowId)
      return name === undefined ? t('start a workflow') : t('start the workflow “{name}”', { name })
    }
  }
}

/** Returns a step as the name of its node: the name that a person gave, else its words. */
export function stepName(step: WorkflowStep, words: Words): string {
  if (step.name !== '') return step.name
  // The branches of a fork are nodes of their own.
  if (step.type === 'CONDITION')
    return step.if.length === 0
      ? t('No conditions yet')
      : capitalized(t('if {conditions}', { conditions: conditionsInWords(step.if, words, false) }))
  return capitalized(stepInWords(step, words))
}

interface TextWords {
  of(text: string): string
  readonly empty: string
}

function withText(value: unknown, variables: readonly Variable[], { of, empty }: TextWords): string {
  const text = typeof value === 'string' ? textInWords(value, variables).trim() : ''
  return text === '' ? empty : of(text)
}

function updateInWords(
  step: Extract<WorkflowStep, { type: 'UPDATE_RECORD' }>,
  { kinds, variables, names }: Words,
): string {
  const noun = nounValues(step.entityType, kinds)
  if (choiceOf(step) === 'owner') {
    const owner = step.values['ownerId']
    const expression = expressionOf(owner)
    const person = expression === undefined ? names.get(String(owner)) : expressionName(expression, variables)
    return person === undefined ? t('assign the {noun}', noun) : t('assign the {noun} to {person}', { ...noun, person })
  }
  const kind = kinds.find(({ key }) => key === step.entityType)
  const labels = Object.keys(step.values).flatMap((key) => kind?.fields.find((field) => field.key === key)?.label ?? [])
  return labels.length === 0
    ? t('update the {noun}', noun)
    : t('update {fields} of the {noun}', { ...noun, fields: labels.join(', ') })
}

function nextPersonOf({ among }: Extract<WorkflowStep, { type: 'ASSIGN_OWNER' }>, { names }: Words): string {
  if ('departmentId' in among) {
    const department = names.get(among.departmentId)
    return department === undefined ? t('the next person') : t('the next person in {department}', { department })
  }
  const people = among.employeeIds.flatMap((id) => names.get(id) ?? []).join(', ')
  return people === '' ? t('the next person') : t('the next of {people}', { people })
}

function forkInWords(step: Extract<WorkflowStep, { type: 'CONDITION' }>, words: Words): string {
  const inBranch = (steps: readonly WorkflowStep[]) =>
    steps.length === 0 ? t('do nothing') : stepsInWords(steps, words)
  // Without a condition the first branch is always taken.
  if (step.if.length === 0) return inBranch(step.then)
  const conditions = conditionsInWords(step.if, words, false)
  return step.else.length === 0
    ? t('if {conditions}, {steps}', { conditions, steps: inBranch(step.then) })
    : t('if {conditions}, {steps}, else {others}', {
        conditions,
        steps: inBranch(step.then),
        others: inBranch(step.else),
      })
}

const hourMinutes = 60
const dayMinutes = 24 * hourMinutes

/** The units in which a wait can be given, by their minutes, the largest first. */
export const waitUnits = [
  {
    name: 'days',
    label: t('Days'),
    minutes: dayMinutes,
    inWords: (count: number) => t('{count, plural, one {# day} other {# days}}', { count }),
  },
  {
    name: 'hours',
    label: t('Hours'),
    minutes: hourMinutes,
    inWords: (count: number) => t('{count, plural, one {# hour} other {# hours}}', { count }),
  },
  {
    name: 'minutes',
    label: t('Minutes'),
    minutes: 1,
    inWords: (count: number) => t('{count, plural, one {# minute} other {# minutes}}', { count }),
  },
] as const

/** Returns the largest unit in which a number of minutes is whole. */
export function unitOf(minutes: number): (typeof waitUnits)[number] {
  return waitUnits.find((unit) => minutes > 0 && minutes % unit.minutes === 0) ?? waitUnits[2]
}

function durationInWords(minutes: number): string {
  const unit = unitOf(minutes)
  return unit.inWords(minutes / unit.minutes)
}

/** Returns a text for the inside of a sentence: a first capital letter goes, except in German and in abbreviations. */
function inside(text: string): string {
  return language !== 'de' && /^\p{Lu}\p{Ll}/u.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text
}
