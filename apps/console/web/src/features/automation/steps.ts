import { kindOf, lead } from '@crm/model'
import type { PlainStep, WorkflowStep, WorkflowTrigger } from '@crm/contract'

type StepType = WorkflowStep['type']
export type RecordStep = Extract<PlainStep, { entityType: string }>
export type Branch = 'then' | 'else'

/** A workflow as it is being edited. */
export interface WorkflowDraft {
  readonly name: string
  readonly trigger: WorkflowTrigger
  readonly steps: readonly WorkflowStep[]
}

/**
 * The place of a step: its number, from 0, after the places of the forks around it, such as `1.then.0`. Runs name their
 * steps in the same way.
 */
export type Position = string

/** Returns the number of a step for people, from 1: `2.1` is the first one of a branch of the second. */
export function numberOf(position: Position): string {
  return position
    .split('.')
    .filter((part) => /^\d+$/.test(part))
    .map((part) => Number(part) + 1)
    .join('.')
}

/** The position of a step, or the place of the trigger. */
export type Place = string
export const triggerPlace: Place = 'trigger'

/** A step with its place. */
export interface PlacedStep {
  readonly position: Position
  readonly step: WorkflowStep
}

/** Returns all steps in reading order: the branches of a fork follow it. */
export function placedSteps(steps: readonly WorkflowStep[], before = ''): readonly PlacedStep[] {
  return steps.flatMap((step, at) => {
    const position = `${before}${at}`
    if (step.type !== 'CONDITION') return [{ position, step }]
    return [
      { position, step },
      ...placedSteps(step.then, `${position}.then.`),
      ...placedSteps(step.else, `${position}.else.`),
    ]
  })
}

/** Returns the step at a place; undefined if there is none. */
export function stepAt(steps: readonly WorkflowStep[], position: Position): WorkflowStep | undefined {
  return placedSteps(steps).find((placed) => placed.position === position)?.step
}

/** Returns the steps that are finished before the one at a place, branches of earlier forks included. */
export function stepsBefore(steps: readonly WorkflowStep[], position: Position): readonly PlacedStep[] {
  const all = placedSteps(steps)
  const at = all.findIndex((placed) => placed.position === position)
  return all
    .slice(0, at === -1 ? all.length : at)
    .filter((placed) => !position.startsWith(`${placed.position}.`) && !isOtherBranch(placed.position, position))
}

/** Whether two places are in the two branches of one fork. */
function isOtherBranch(one: Position, other: Position): boolean {
  const [first, second] = [one.split('.'), other.split('.')]
  const at = first.findIndex((part, place) => part !== second[place])
  return at % 2 === 1
}

type Change = (list: readonly WorkflowStep[], at: number) => readonly WorkflowStep[]

/** Returns the steps with a change to the list that holds a place. */
function changed(steps: readonly WorkflowStep[], position: Position, change: Change): readonly WorkflowStep[] {
  const [first = '', branch, ...rest] = position.split('.')
  const at = Number(first)
  if (branch === undefined) return change(steps, at)
  const fork = steps[at]
  if (fork?.type !== 'CONDITION') return steps
  const inner = changed(fork[branch as Branch], rest.join('.'), change)
  return steps.with(at, { ...fork, [branch]: inner })
}

export function withStep(steps: readonly WorkflowStep[], position: Position, step: WorkflowStep) {
  return changed(steps, position, (list, at) => list.with(at, step))
}

/** Returns the steps with another one at a place; the step there moves on. */
export function withStepAdded(steps: readonly WorkflowStep[], position: Position, step: WorkflowStep) {
  return changed(steps, position, (list, at) => list.toSpliced(at, 0, step))
}

export function withoutStep(steps: readonly WorkflowStep[], position: Position) {
  return changed(steps, position, (list, at) => list.toSpliced(at, 1))
}

/** Returns the place to which a step would move; undefined at the ends of its list. */
export function movedPosition(steps: readonly WorkflowStep[], position: Position, by: -1 | 1): Position | undefined {
  const parts = position.split('.')
  const next = [...parts.slice(0, -1), Number(parts.at(-1)) + by].join('.')
  return stepAt(steps, next) && next
}

/** Returns the steps with one moved to a place of the same list. */
export function movedStep(steps: readonly WorkflowStep[], from: Position, to: Position) {
  const step = stepAt(steps, from)
  return step === undefined ? steps : withStepAdded(withoutStep(steps, from), to, step)
}

/** Returns the place behind the last step of a list: of the workflow, or of a branch. */
export function endOf(steps: readonly WorkflowStep[], fork?: { readonly position: Position; readonly branch: Branch }) {
  if (fork === undefined) return String(steps.length)
  const step = stepAt(steps, fork.position)
  return `${fork.position}.${fork.branch}.${step?.type === 'CONDITION' ? step[fork.branch].length : 0}`
}

const keyStems: Readonly<Record<StepType, string>> = {
  CREATE_RECORD: 'record',
  UPDATE_RECORD: 'change',
  FIND_RECORDS: 'found',
  ASSIGN_OWNER: 'change',
  HTTP_REQUEST: 'request',
  SEND_EMAIL: 'mail',
  CONDITION: 'check',
  DELAY: 'wait',
  SET: 'values',
  START_WORKFLOW: 'started',
}

/** Returns a key for a step of a type that no other step has. */
function freeKey(type: StepType, steps: readonly WorkflowStep[]): string {
  const taken = new Set(placedSteps(steps).map(({ step }) => step.key))
  const stem = keyStems[type]
  if (!taken.has(stem)) return stem
  for (let n = 2; ; n += 1) if (!taken.has(`${stem}${n}`)) return `${stem}${n}`
}

/** The choices of a new step; some of them make the same type of step with other values. */
export const stepChoices = [
  'task',
  'create',
  'update',
  'owner',
  'find',
  'email',
  'request',
  'wait',
  'branch',
  'values',
  'start',
] as const
export type StepChoice = (typeof stepChoices)[number]

/** The record whose change starts a workflow. */
export interface Subject {
  readonly entityType: string
  /** Whether tasks can be linked to it. */
  readonly isLinkable: boolean
}

const subjectId = '{{trigger.entityId}}'

/** Returns a new step with a free key. A step about a record begins with the one whose change starts the workflow. */
export function newStep(
  choice: StepChoice,
  steps: readonly WorkflowStep[],
  subject: Subject | undefined,
): WorkflowStep {
  const base = <T extends StepType>(type: T) => ({ key: freeKey(type, steps), name: '', type })
  const about = { entityType: subject?.entityType ?? lead.entity, id: subject === undefined ? '' : subjectId }
  switch (choice) {
    case 'task':
      return {
        ...base('CREATE_RECORD'),
        entityType: 'TASK',
        values: { title: '', ...forCarer(subject), ...linksTo(subject) },
      }
    case 'create':
      return { ...base('CREATE_RECORD'), entityType: lead.entity, values: {} }
    case 'update':
      return { ...base('UPDATE_RECORD'), ...about, values: {} }
    case 'owner':
      return { ...base('UPDATE_RECORD'), ...about, values: { ownerId: null } }
    case 'find':
      return { ...base('FIND_RECORDS'), entityType: lead.entity, filter: {}, limit: 20 }
    case 'email':
      return { ...base('SEND_EMAIL'), to: '', subject: '', body: '' }
    case 'request':
      return { ...base('HTTP_REQUEST'), url: 'https://', method: 'POST', headers: {}, bodyTemplate: null }
    case 'wait':
      return { ...base('DELAY'), minutes: 24 * 60 }
    case 'branch':
      return { ...base('CONDITION'), if: [], then: [], else: [] }
    case 'values':
      return { ...base('SET'), values: {} }
    case 'start':
      return { ...base('START_WORKFLOW'), workflowId: '' }
  }
}

/** Returns the values that give a new task to whoever looks after the record that starts the workflow, due on the day of the step. */
export function forCarer(subject: Subject | undefined): { readonly assigneeId?: string; readonly dueAt?: object } {
  const field = subject && (subject.entityType === 'BOOKING' ? 'organizerId' : kindOf(subject.entityType) && 'ownerId')
  return field === undefined ? {} : { assigneeId: `{{trigger.data.${field}}}`, dueAt: { inDays: 0 } }
}

/** Returns the value that links a new task to the record whose change starts the workflow. */
export function linksTo(subject: Subject | undefined): { readonly links?: readonly object[] } {
  return subject?.isLinkable ? { links: [{ entityType: subject.entityType, entityId: subjectId }] } : {}
}

/** Returns the choice that a step comes from. */
export function choiceOf(step: WorkflowStep): StepChoice {
  switch (step.type) {
    case 'CREATE_RECORD':
      return step.entityType === 'TASK' ? 'task' : 'create'
    case 'UPDATE_RECORD':
      return Object.keys(step.values).join(',') === 'ownerId' ? 'owner' : 'update'
    case 'ASSIGN_OWNER':
      return 'owner'
    case 'FIND_RECORDS':
      return 'find'
    case 'HTTP_REQUEST':
      return 'request'
    case 'SEND_EMAIL':
      return 'email'
    case 'CONDITION':
      return 'branch'
    case 'DELAY':
      return 'wait'
    case 'SET':
      return 'values'
    case 'START_WORKFLOW':
      return 'start'
  }
}

/** Returns steps in the form that the API takes: values that were left empty are left out of new records. */
export function savedSteps(steps: readonly WorkflowStep[]): WorkflowStep[] {
  return steps.map((step): WorkflowStep => {
    if (step.type === 'CONDITION') return { ...step, then: savedSteps(step.then), else: savedSteps(step.else) }
    if (step.type !== 'CREATE_RECORD') return step
    return { ...step, values: Object.fromEntries(Object.entries(step.values).filter(([, value]) => value !== null)) }
  })
}

/** Returns the place of a step from the path of a problem or a hint, such as `steps.1.then.0.values`. */
export function positionIn(path: readonly (string | number)[]): Place | undefined {
  if (path[0] === 'trigger') return triggerPlace
  if (path[0] !== 'steps') return undefined
  const [, ...inside] = path.map(String)
  const parts: string[] = []
  for (const part of inside) {
    const isPlace = parts.length % 2 === 0 ? /^\d+$/.test(part) : part === 'then' || part === 'else'
    if (!isPlace) break
    parts.push(part)
  }
  return parts.length % 2 === 0 ? parts.slice(0, -1).join('.') : parts.join('.')
}

/** Returns the problems below a path, such as `steps.0`, by the member that they are about, and by the whole of the path that is left. */
export function problemsBelow(
  problems: Readonly<Record<string, string>>,
  path: string,
): Readonly<Record<string, string>> {
  const below = Object.entries(problems)
    .filter(([at]) => at.startsWith(`${path}.`))
    .map(([at, message]) => [at.slice(path.length + 1), message] as const)
  const ofMembers = below.map(([at, message]) => [at.split('.')[0] ?? '', message] as const)
  // The first problem of a member is shown.
  return Object.fromEntries([...below, ...ofMembers.toReversed()])
}

export type { WorkflowStep, WorkflowTrigger }
