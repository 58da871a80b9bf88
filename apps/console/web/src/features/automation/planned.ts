import { textOfValue } from '../../records/value-words.ts'
import type { AnyRecord } from '../../records/record-calls.ts'
import { t } from './texts.ts'
import { capitalized } from '../../base/texts.ts'
import { isStageEvent, nounValues, subjectTypeOf } from './events.ts'
import type { WorkflowStep, WorkflowTrigger } from './steps.ts'
import { type Words } from './summary.ts'
import { partsOf } from './variables.ts'
import { readFields, type Values } from './values.ts'

/** What a step would do, as the API reports it. */
export interface PlannedStep {
  readonly position: string
  readonly input: unknown
  readonly problem: string | null
}

/** Returns the data of a trigger for a record; undefined without one, where the API takes what it knows. */
export function testData(trigger: WorkflowTrigger, record: AnyRecord | undefined): unknown {
  if (trigger.type !== 'EVENT') return undefined
  // The stage counts as just entered.
  const changes = isStageEvent(trigger.event) ? [{ field: 'stageId', from: null, to: record?.['stageId'] ?? null }] : []
  return {
    event: trigger.event,
    entityType: subjectTypeOf(trigger.event),
    entityId: record?.id ?? null,
    data: { ...record, changes },
  }
}

/** Returns a step with the values that it would have. */
export function plannedStep(step: WorkflowStep, { input }: PlannedStep): WorkflowStep {
  const values = (input ?? {}) as Values
  if (step.type === 'SEND_EMAIL') return { ...step, to: toText(values['to']) }
  if (step.type === 'ASSIGN_OWNER') return nextOwner(values) === null ? step : assignedBy(step, values)
  if (step.type !== 'CREATE_RECORD' && step.type !== 'UPDATE_RECORD') return step
  return { ...step, values: (values['values'] ?? {}) as Record<string, unknown> }
}

/** Returns what keeps a step from working, in words. */
export function plannedProblem(step: WorkflowStep, { input, problem }: PlannedStep): string | null {
  if (step.type === 'START_WORKFLOW' && problem !== null) return t('The workflow is not turned on.')
  const isNobodysTurn = step.type === 'ASSIGN_OWNER' && nextOwner((input ?? {}) as Values) === null
  return isNobodysTurn && input !== null ? t('Nobody can take this turn: none of the people is active.') : problem
}

function nextOwner(values: Values): unknown {
  return ((values['values'] ?? {}) as Values)['ownerId'] ?? null
}

/** Returns the change of the owner that a step makes once its person is known. */
function assignedBy(
  { key, name, entityType, id }: Extract<WorkflowStep, { type: 'ASSIGN_OWNER' }>,
  values: Values,
): Extract<WorkflowStep, { type: 'UPDATE_RECORD' }> {
  return { key, name, type: 'UPDATE_RECORD', entityType, id, values: { ownerId: nextOwner(values) } }
}

type Fact = readonly [name: string, value: string]

/** Returns what a step would set or send, by its names for people. */
export function plannedFacts(step: WorkflowStep, { input }: PlannedStep, words: Words): readonly Fact[] {
  const values = (input ?? {}) as Values
  switch (step.type) {
    case 'CREATE_RECORD':
    case 'UPDATE_RECORD':
      return recordFacts(step, (values['values'] ?? {}) as Values, words)
    case 'ASSIGN_OWNER':
      return nextOwner(values) === null
        ? []
        : recordFacts(assignedBy(step, values), { ownerId: nextOwner(values) }, words)
    case 'FIND_RECORDS':
      return [[t('Search for'), toText((values['filter'] as Values | undefined)?.['search'])]]
    case 'HTTP_REQUEST':
      return [
        [t('Address'), `${step.method} ${step.url}`],
        ...(values['body'] ? ([[t('Body'), toText(values['body'])]] as const) : []),
      ]
    case 'SEND_EMAIL':
      return [
        [t('To'), toText(values['to'])],
        [t('Subject'), toText(values['subject'])],
        [t('Text'), toText(values['body'])],
      ]
    case 'SET':
      return Object.entries(values).map(([name, value]): Fact => [name, toText(value)])
    case 'CONDITION':
      return [[t('Continues with'), t(input === true ? 'Then' : 'Else')]]
    case 'DELAY':
    case 'START_WORKFLOW':
      return []
  }
}

function recordFacts(
  step: Extract<WorkflowStep, { type: 'CREATE_RECORD' | 'UPDATE_RECORD' }>,
  values: Values,
  { kinds, names, currency }: Words,
): readonly Fact[] {
  const kind = kinds.find(({ key }) => key === step.entityType)
  if (kind === undefined) return []
  const [shown, written] = [readFields(kind, values), readFields(kind, step.values)]
  const facts = kind.fields.flatMap((field): Fact[] => {
    const value = shown[field.key]
    if (!(field.key in shown) || field.key === 'links') return []
    if (value === null) return [[field.label, isFilled(written[field.key]) ? t('Known when it runs') : '']]
    if (field.type.startsWith('REFERENCE'))
      return [
        [
          field.label,
          [value]
            .flat()
            .map((id) => names.get(toText(id)) ?? '…')
            .join(', '),
        ],
      ]
    return [[field.label, textOfValue(field, value, { id: '', version: 0, currency })]]
  })
  const links = shown['links']
  if (!Array.isArray(links)) return facts
  const linked = links.map(
    ({ entityType, entityId }: { readonly entityType: string; readonly entityId: string }) =>
      names.get(entityId) ?? capitalized(nounValues(entityType, kinds).noun),
  )
  return [...facts, [t('Related to'), linked.join(', ')]]
}

/** Whether a value is filled in from data. */
function isFilled(value: unknown): boolean {
  return typeof value === 'string' && partsOf(value).some((part) => 'expression' in part)
}

function toText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(toText).join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}
