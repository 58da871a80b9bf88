import { recordOperations, withDaysAhead, type Operation, type PlainStep, type StepClock } from '@crm/contract'
import { compileValue, render, type JsonValue } from '@crm/templates'
import { StepFailed } from './outcome.ts'

/** The steps that work with records. */
export type RecordStep = Extract<PlainStep, { type: 'CREATE_RECORD' | 'UPDATE_RECORD' | 'FIND_RECORDS' }>

/** A step as a call of the CRM API, with its templates filled. */
export interface RecordRequest {
  readonly method: string
  readonly path: string
  readonly body: JsonValue | null
  /** Whether a second request has no further effect. */
  readonly isRepeatable: boolean
  readonly takesKey: boolean
}

/** Makes the call of a record step for some data, at a moment. */
export function planRecordRequest(step: RecordStep, data: unknown, clock: StepClock): RecordRequest {
  switch (step.type) {
    case 'CREATE_RECORD': {
      const { operation, path } = operationFor(step.entityType, 'create')
      const takesKey = operation.idempotent === true
      return { method: operation.method, path, body: fillValues(step, data, clock), isRepeatable: takesKey, takesKey }
    }
    case 'UPDATE_RECORD': {
      const { operation, path } = operationFor(step.entityType, 'update')
      const id = fill(step.id, data)
      if (typeof id !== 'string' || id === '') throw new StepFailed('STEP_FAILED', 'The id of the record is empty')
      return {
        method: operation.method,
        path: path.replace('{id}', encodeURIComponent(id)),
        body: fillValues(step, data, clock),
        isRepeatable: true,
        takesKey: false,
      }
    }
    case 'FIND_RECORDS': {
      const { operation, path } = operationFor(step.entityType, 'list')
      const query = toQuery({
        ...(fill(step.filter, data) as Record<string, JsonValue>),
        [sizeParam(operation)]: step.limit,
      })
      return { method: operation.method, path: `${path}?${query}`, body: null, isRepeatable: true, takesKey: false }
    }
  }
}

function operationFor(
  entityType: string,
  verb: 'create' | 'update' | 'list',
): { readonly operation: Operation; readonly path: string } {
  const operations = recordOperations(entityType)
  const operation = operations?.[verb]
  if (!operation) throw new StepFailed('STEP_FAILED', `Workflows cannot ${verb} records of the type ${entityType}`)
  const path = Object.entries(operations.pathParams).reduce(
    (text, [name, value]) => text.replace(`{${name}}`, encodeURIComponent(value)),
    operation.path as string,
  )
  return { operation, path }
}

/** The name of a list's page size has two forms (docs/guide/lists.md). */
function sizeParam({ query }: Operation): 'pageSize' | 'limit' {
  return query && 'limit' in query.shape ? 'limit' : 'pageSize'
}

function fillValues(
  { entityType, values }: Extract<RecordStep, { readonly values: unknown }>,
  data: unknown,
  clock: StepClock,
): JsonValue {
  return { ...withDaysAhead(entityType, fill(values, data) as Record<string, JsonValue>, clock) }
}

function fill(template: unknown, data: unknown): JsonValue {
  return render(compileValue(template as JsonValue), data)
}

function toQuery(filter: Readonly<Record<string, JsonValue>>): string {
  const entries = Object.entries(filter).filter(([, value]) => value !== null)
  return new URLSearchParams(entries.map(([name, value]) => [name, toParam(value)])).toString()
}

function toParam(value: JsonValue): string {
  if (Array.isArray(value)) return value.map(toParam).join(',')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
