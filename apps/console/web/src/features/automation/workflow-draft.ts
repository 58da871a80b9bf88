import type { WorkflowStep, WorkflowTrigger } from '@crm/contract'
import { t } from '../../base/texts.ts'

export type StepType = WorkflowStep['type']

export const stepNames: Readonly<Record<StepType, string>> = {
  CREATE_RECORD: t('automation.createARecord'),
  UPDATE_RECORD: t('automation.changeARecord'),
  FIND_RECORDS: t('automation.findRecords'),
  HTTP_REQUEST: t('automation.sendARequest'),
  SEND_EMAIL: t('automation.sendAnEmail'),
  CONDITION: t('automation.condition'),
  DELAY: t('automation.wait'),
  SET: t('automation.setValues'),
}

/** A workflow as it is being edited. */
export interface WorkflowDraft {
  readonly name: string
  readonly trigger: WorkflowTrigger
  readonly steps: readonly WorkflowStep[]
}

const keyStems: Readonly<Record<StepType, string>> = {
  CREATE_RECORD: 'record',
  UPDATE_RECORD: 'change',
  FIND_RECORDS: 'found',
  HTTP_REQUEST: 'request',
  SEND_EMAIL: 'mail',
  CONDITION: 'check',
  DELAY: 'wait',
  SET: 'values',
}

/** Returns a new step of a type, with a key that no other step has. */
export function newStep(type: StepType, taken: ReadonlySet<string>): WorkflowStep {
  const base = { key: freeKey(keyStems[type], taken), name: '' }
  switch (type) {
    case 'CREATE_RECORD':
      return { ...base, type, entityType: 'LEAD', values: {} }
    case 'UPDATE_RECORD':
      return { ...base, type, entityType: 'LEAD', id: '', values: {} }
    case 'FIND_RECORDS':
      return { ...base, type, entityType: 'LEAD', filter: {}, limit: 20 }
    case 'HTTP_REQUEST':
      return { ...base, type, url: 'https://', method: 'POST', headers: {}, bodyTemplate: null }
    case 'SEND_EMAIL':
      return { ...base, type, to: '', subject: '', body: '' }
    case 'CONDITION':
      return { ...base, type, if: [], then: [], else: [] }
    case 'DELAY':
      return { ...base, type, minutes: 60 }
    case 'SET':
      return { ...base, type, values: {} }
  }
}

function freeKey(stem: string, taken: ReadonlySet<string>): string {
  if (!taken.has(stem)) return stem
  for (let n = 2; ; n += 1) if (!taken.has(`${stem}${n}`)) return `${stem}${n}`
}

/** Returns the keys of all steps, including the steps inside branches. */
export function keysOf(steps: readonly WorkflowStep[]): Set<string> {
  return new Set(
    steps.flatMap((step) => [
      step.key,
      ...(step.type === 'CONDITION' ? [...keysOf(step.then), ...keysOf(step.else)] : []),
    ]),
  )
}

/** The known outputs of each type of step, without running it. */
const outputsOf: Readonly<Record<StepType, (step: WorkflowStep) => readonly string[]>> = {
  CREATE_RECORD: () => ['id', 'createdAt'],
  UPDATE_RECORD: () => ['id', 'updatedAt'],
  FIND_RECORDS: () => ['first.id', 'total', 'items'],
  HTTP_REQUEST: () => ['status', 'body'],
  SEND_EMAIL: () => ['sentTo'],
  CONDITION: () => ['result'],
  DELAY: () => [],
  SET: (step) => (step.type === 'SET' ? Object.keys(step.values) : []),
}

/** Returns the variables that later steps may use. */
export function outputVariables(steps: readonly WorkflowStep[]): string[] {
  return steps.flatMap((step) => {
    const inner = step.type === 'CONDITION' ? [...outputVariables(step.then), ...outputVariables(step.else)] : []
    return [...outputsOf[step.type](step).map((name) => `steps.${step.key}.data.${name}`), ...inner]
  })
}

const suggestedMax = 40

/** Returns the variables of the trigger: the ones of the last request, or the ones of every event. */
export function triggerVariables(trigger: WorkflowTrigger, lastBody: unknown): string[] {
  if (trigger.type === 'EVENT')
    return [
      'event',
      'entityType',
      'entityId',
      'timestamp',
      'data.id',
      'data.name',
      'data.email',
      'data.status',
      'data.ownerId',
    ].map((name) => `trigger.${name}`)
  return pathsOf(lastBody, 'trigger').slice(0, suggestedMax)
}

const isIdentifier = (key: string): boolean => /^[\p{L}_][\p{L}\p{N}_-]*$/u.test(key)

function pathsOf(value: unknown, at: string): string[] {
  if (value === null || typeof value !== 'object') return at === 'trigger' ? [] : [at]
  if (Array.isArray(value)) return value.length === 0 ? [at] : pathsOf(value[0], `${at}[0]`)
  return Object.entries(value)
    .filter(([key]) => isIdentifier(key))
    .flatMap(([key, item]) => pathsOf(item, `${at}.${key}`))
}

/** Formats a value for a field: text unchanged, anything else as JSON, and text that would be read as JSON in quotes. */
export function showValue(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value ?? null)
  return isJson(value) ? JSON.stringify(value) : value
}

/** Reads a typed value; the inverse of `showValue`. */
export function readValue(text: string): unknown {
  return isJson(text) ? (JSON.parse(text) as unknown) : text
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Returns the first problem at a path of a form or below it. */
export function errorAt(errors: Readonly<Record<string, string>>, path: string): string | undefined {
  return Object.entries(errors).find(([at]) => at === path || at.startsWith(`${path}.`))?.[1]
}

/** Returns a list with the item at a position moved by one. */
export function moved<T>(list: readonly T[], at: number, by: -1 | 1): T[] {
  const item = list[at]
  if (item === undefined || list[at + by] === undefined) return [...list]
  const rest = list.toSpliced(at, 1)
  return rest.toSpliced(at + by, 0, item)
}
