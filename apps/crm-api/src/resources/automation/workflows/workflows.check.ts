import {
  hasSettableOwner,
  recordEntityTypes,
  recordOperations,
  type AmongPeople,
  type WorkflowStep,
  type WorkflowTrigger,
} from '@crm/contract'
import * as z from 'zod'
import {
  findInConditions,
  findInRequest,
  findInValues,
  type Findings,
  type Knows,
  type Path,
} from '../automation/findings.ts'
import { dataOfEvent, dataOfStep, dataOfTrigger, mayCompare, mayHold } from '../automation/known-data.ts'

const verbOf = { CREATE_RECORD: 'create', UPDATE_RECORD: 'update', FIND_RECORDS: 'list' } as const

/** The facts of the installation and the workspace that the checks need. */
export interface Surroundings {
  readonly allowCidrs: readonly string[]
  /** The entity types that the workspace has made for itself, such as `VEHICLE`. */
  readonly customTypes: ReadonlySet<string>
  /** The departments and people of the workspace, as far as steps name them. */
  readonly people: ReadonlySet<string>
  /** What each workflow of the workspace starts, by its id. */
  readonly starts: Starts
  /** The id of the workflow itself; null before it is created. */
  readonly workflowId: string | null
}

/** The workflows that each workflow starts. */
export type Starts = ReadonlyMap<string, readonly string[]>

/** Checks the trigger and the steps of a workflow: a part that cannot work is an issue, an unknown name only a warning. */
export function checkWorkflow(
  trigger: WorkflowTrigger,
  steps: readonly WorkflowStep[],
  around: Surroundings,
): Findings {
  const found: Findings = { issues: [], warnings: [] }
  if (trigger.type === 'EVENT') {
    const data = dataOfEvent(trigger.event)
    findInConditions(found, ['trigger', 'conditions'], trigger.conditions, (field) => mayCompare(data, field))
  }
  checkSteps(found, steps, ['steps'], { trigger: dataOfTrigger(trigger), steps: new Map() }, around)
  return found
}

/** The data of a run: of its trigger, and of the steps that it has taken, by their keys. */
interface RunData {
  readonly trigger: z.ZodType
  readonly steps: Map<string, z.ZodType>
}

/** Checks steps. The data of all earlier steps are known, including those of both branches of a fork. */
function checkSteps(
  found: Findings,
  steps: readonly WorkflowStep[],
  path: Path,
  data: RunData,
  around: Surroundings,
): void {
  for (const [index, step] of steps.entries()) {
    const at = [...path, index]
    const taken = z.object(Object.fromEntries([...data.steps].map(([key, given]) => [key, z.object({ data: given })])))
    const known = z.object({ trigger: data.trigger, steps: taken })
    const knows: Knows = (variable) => mayHold(known, variable)
    checkStep(found, step, at, knows, around)
    if (data.steps.has(step.key)) found.issues.push({ path: [...at, 'key'], message: 'Another step has this key' })
    if (step.type === 'CONDITION') {
      checkSteps(found, step.then, [...at, 'then'], data, around)
      checkSteps(found, step.else, [...at, 'else'], data, around)
    }
    data.steps.set(step.key, dataOfStep(step))
  }
}

function checkStep(
  found: Findings,
  step: WorkflowStep,
  at: Path,
  knows: Knows,
  { allowCidrs, customTypes, people, starts, workflowId }: Surroundings,
): void {
  switch (step.type) {
    case 'CREATE_RECORD':
    case 'UPDATE_RECORD':
    case 'FIND_RECORDS':
      if (!isKnown(step.entityType, customTypes) || !recordOperations(step.entityType)?.[verbOf[step.type]]) {
        found.issues.push({
          path: [...at, 'entityType'],
          message: `Workflows cannot ${verbOf[step.type]} records of the type ${step.entityType}`,
        })
      }
      if (step.type === 'UPDATE_RECORD') findInValues(found, [...at, 'id'], step.id, knows)
      return step.type === 'FIND_RECORDS'
        ? findInValues(found, [...at, 'filter'], step.filter, knows)
        : findInValues(found, [...at, 'values'], step.values, knows)
    case 'ASSIGN_OWNER':
      if (!isKnown(step.entityType, customTypes) || !hasSettableOwner(step.entityType))
        found.issues.push({
          path: [...at, 'entityType'],
          message: `Records of the type ${step.entityType} have no owner`,
        })
      findInTurns(found, [...at, 'among'], step.among, people)
      return findInValues(found, [...at, 'id'], step.id, knows)
    case 'HTTP_REQUEST':
      return findInRequest(found, at, step, knows, allowCidrs)
    case 'SEND_EMAIL':
      if (recipientsOf(step.to).length === 0)
        found.issues.push({ path: [...at, 'to'], message: 'Expected at least one recipient' })
      for (const text of ['to', 'subject', 'body'] as const) findInValues(found, [...at, text], step[text], knows)
      return
    case 'CONDITION':
      return findInConditions(found, [...at, 'if'], step.if, knows)
    case 'START_WORKFLOW':
      if (!starts.has(step.workflowId))
        found.issues.push({ path: [...at, 'workflowId'], message: 'There is no such workflow' })
      else if (workflowId !== null && leadsTo(starts, step.workflowId, workflowId))
        found.issues.push({ path: [...at, 'workflowId'], message: 'The workflow would start itself again' })
      return
    case 'SET':
      return findInValues(found, [...at, 'values'], step.values, knows)
    case 'DELAY':
  }
}

/** Whether a workflow starts another one, directly or by the ones that it starts; each starts itself. */
function leadsTo(starts: Starts, from: string, to: string, seen: ReadonlySet<string> = new Set()): boolean {
  if (from === to) return true
  if (seen.has(from)) return false
  const passed = new Set([...seen, from])
  return (starts.get(from) ?? []).some((next) => leadsTo(starts, next, to, passed))
}

/** Returns the workflows that steps start, forks included. */
export function startedIn(steps: readonly WorkflowStep[]): string[] {
  return allSteps(steps).flatMap((step) => (step.type === 'START_WORKFLOW' ? [step.workflowId] : []))
}

function findInTurns({ issues }: Findings, path: Path, among: AmongPeople, people: ReadonlySet<string>): void {
  if ('departmentId' in among) {
    if (!people.has(among.departmentId))
      issues.push({ path: [...path, 'departmentId'], message: 'There is no such department' })
    return
  }
  for (const [index, id] of among.employeeIds.entries())
    if (!people.has(id)) issues.push({ path: [...path, 'employeeIds', index], message: 'There is no such person' })
}

function isKnown(entityType: string, customTypes: ReadonlySet<string>): boolean {
  return customTypes.has(entityType) || recordEntityTypes().includes(entityType)
}

/** Returns the configured recipients of a mail step; a text may hold several, separated by commas. */
function recipientsOf(to: string | readonly string[]): string[] {
  const texts = typeof to === 'string' ? [to] : to
  return texts
    .flatMap((text) => text.split(','))
    .map((text) => text.trim())
    .filter((text) => text !== '')
}

/** Returns all steps with the ones inside of forks. */
export function allSteps(steps: readonly WorkflowStep[]): readonly WorkflowStep[] {
  return steps.flatMap((step) =>
    step.type === 'CONDITION' ? [step, ...allSteps(step.then), ...allSteps(step.else)] : [step],
  )
}

/** Returns the addresses to which steps send requests, with their place. */
export function addressesOf(
  steps: readonly WorkflowStep[],
  path: Path = ['steps'],
): { readonly path: Path; readonly url: string }[] {
  return steps.flatMap((step, index) => {
    const at = [...path, index]
    if (step.type === 'HTTP_REQUEST') return [{ path: at, url: step.url }]
    return step.type === 'CONDITION'
      ? [...addressesOf(step.then, [...at, 'then']), ...addressesOf(step.else, [...at, 'else'])]
      : []
  })
}
