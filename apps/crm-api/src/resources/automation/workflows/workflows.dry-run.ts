import { conditionData, withDaysAhead, type StepClock, type WorkflowStep, type WorkflowTrigger } from '@crm/contract'
import { chosenBody } from '@crm/egress'
import { hideHeaders } from '../automation/header-secrets.ts'
import {
  compileTemplate,
  compileValue,
  evaluateConditions,
  render,
  TemplateError,
  type Condition,
  type JsonValue,
} from '@crm/templates'

/** The input that a step would get. */
export interface PlannedStep {
  readonly position: string
  readonly key: string
  readonly type: string
  readonly input: JsonValue
  readonly problem: string | null
}

/** The facts of the workspace that decide what steps would do. */
export interface Known {
  /** The people whose turn is next, by the key of the step; null when nobody can have one. */
  readonly turns: ReadonlyMap<string, string | null>
  /** The published workflows. */
  readonly published: ReadonlySet<string>
  readonly clock: StepClock
}

/**
 * Fills the templates of all steps as far as the trigger data go; the results of earlier steps are unknown, except those of
 * SET and forks.
 */
export function planSteps(steps: readonly WorkflowStep[], trigger: unknown, known: Known): PlannedStep[] {
  return planFrom(steps, '', { trigger, steps: {} }, known)
}

/** Whether a workflow would start for some trigger data: the conditions of its event hold. */
export function startsFor(trigger: WorkflowTrigger, data: unknown): boolean {
  return trigger.type !== 'EVENT' || evaluateConditions(trigger.conditions as Condition[], conditionData(data))
}

interface DryData {
  readonly trigger: unknown
  readonly steps: Record<string, { readonly data: unknown }>
}

function planFrom(steps: readonly WorkflowStep[], prefix: string, data: DryData, known: Known): PlannedStep[] {
  return steps.flatMap((step, index) => {
    const position = `${prefix}${index}`
    const planned = { position, key: step.key, type: step.type, ...fill(step, data, known) }
    if (step.type === 'SET') data.steps[step.key] = { data: planned.input }
    if (step.type !== 'CONDITION') return [planned]
    const branch = planned.input === true ? 'then' : 'else'
    data.steps[step.key] = { data: { result: branch === 'then' } }
    return [planned, ...planFrom(step[branch], `${position}.${branch}.`, data, known)]
  })
}

function fill(step: WorkflowStep, data: DryData, known: Known): Pick<PlannedStep, 'input' | 'problem'> {
  try {
    return { input: inputOf(step, data, known), problem: problemOf(step, known) }
  } catch (error) {
    if (error instanceof TemplateError) return { input: null, problem: error.message }
    throw error
  }
}

function problemOf(step: WorkflowStep, { turns, published }: Known): string | null {
  if (step.type === 'ASSIGN_OWNER' && !turns.get(step.key)) return 'None of the people who take turns is active'
  if (step.type === 'START_WORKFLOW' && !published.has(step.workflowId)) return 'The workflow to start is not published'
  return null
}

function inputOf(step: WorkflowStep, data: DryData, { turns, clock }: Known): JsonValue {
  const filled = (value: unknown): JsonValue => render(compileValue(value as JsonValue), data)
  const ofRecord = ({ entityType, values }: { readonly entityType: string; readonly values: unknown }) =>
    withDaysAhead(entityType, filled(values) as Record<string, JsonValue>, clock) as JsonValue
  switch (step.type) {
    case 'CREATE_RECORD':
      return { entityType: step.entityType, values: ofRecord(step) }
    case 'UPDATE_RECORD':
      return { entityType: step.entityType, id: filled(step.id), values: ofRecord(step) }
    case 'ASSIGN_OWNER':
      return { entityType: step.entityType, id: filled(step.id), values: { ownerId: turns.get(step.key) ?? null } }
    case 'FIND_RECORDS':
      return { entityType: step.entityType, filter: filled(step.filter), limit: step.limit }
    case 'HTTP_REQUEST':
      return {
        ...hideHeaders({ method: step.method, url: step.url, headers: step.headers }),
        body: chosenBody(step) === 'TEMPLATE' ? render(compileTemplate(step.bodyTemplate ?? ''), data) : null,
      }
    case 'SEND_EMAIL':
      return { to: filled(step.to), subject: filled(step.subject), body: filled(step.body) }
    case 'DELAY':
      return { minutes: step.minutes }
    case 'SET':
      return filled(step.values)
    case 'START_WORKFLOW':
      return { workflowId: step.workflowId, data: data.trigger as JsonValue }
    case 'CONDITION':
      return evaluateConditions(step.if as Condition[], data)
  }
}
