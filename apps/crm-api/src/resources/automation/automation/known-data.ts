import { changeEvents, eventBody, shownRecord, type WorkflowStep, type WorkflowTrigger } from '@crm/contract'
import * as z from 'zod'

/** Returns the data of an event, as rules and workflows see it. */
export function dataOfEvent(name: string): z.ZodObject {
  const declared = changeEvents.find((event) => event.name === name)
  const record = declared ? declared.record : shownRecord(name.slice(0, name.lastIndexOf('.')).toUpperCase())
  return eventBody({ record: record ?? z.looseObject({}), ...(declared?.more ? { more: declared.more } : {}) })
}

/** Returns the data that a trigger gives; of calls and of starts by hand nothing is known beforehand. */
export function dataOfTrigger(trigger: WorkflowTrigger): z.ZodType {
  if (trigger.type === 'EVENT') return dataOfEvent(trigger.event)
  return trigger.type === 'SCHEDULE' ? z.object({ scheduledFor: z.string() }) : z.unknown()
}

/** Returns the data that a step gives to later ones. */
export function dataOfStep(step: WorkflowStep): z.ZodType {
  switch (step.type) {
    case 'CREATE_RECORD':
    case 'UPDATE_RECORD':
    case 'ASSIGN_OWNER':
      return shownRecord(step.entityType) ?? z.unknown()
    case 'FIND_RECORDS': {
      const record = shownRecord(step.entityType) ?? z.unknown()
      return z.object({ items: z.array(record), total: z.number().nullable(), first: record.nullable() })
    }
    case 'SET':
      return z.object(Object.fromEntries(Object.keys(step.values).map((name) => [name, z.unknown()])))
    case 'CONDITION':
      return z.object({ result: z.boolean() })
    case 'HTTP_REQUEST':
    case 'SEND_EMAIL':
    case 'START_WORKFLOW':
    case 'DELAY':
      return z.unknown()
  }
}

/** Values in which nothing can be found. */
const plain: ReadonlySet<string> = new Set(['string', 'number', 'int', 'boolean', 'enum', 'literal', 'null', 'date'])

/** Whether data of a schema can have a value under a path such as `data.items[0].name`. */
export function mayHold(schema: z.core.$ZodType, path: string): boolean {
  return holds(
    schema,
    path.split(/[.[\]]+/).filter((name) => name !== ''),
  )
}

/** Whether a condition of an event can compare what stands under a path: fields of the record stand at the top as well. */
export function mayCompare(event: z.ZodObject, path: string): boolean {
  return mayHold(z.object({ ...event.shape, trigger: event }), path) || mayHold(event, `data.${path}`)
}

function holds(schema: z.core.$ZodType, path: readonly string[]): boolean {
  const [name, ...rest] = path
  if (name === undefined) return true
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return holds(schema.unwrap(), path)
  if (schema instanceof z.ZodUnion) return schema.options.some((option) => holds(option, path))
  if (schema instanceof z.ZodArray) return /^\d+$/.test(name) ? holds(schema.element, rest) : name === 'length'
  if (schema instanceof z.ZodRecord) return holds(schema.valueType, rest)
  if (schema instanceof z.ZodObject) {
    const member = (schema.shape as Readonly<Record<string, z.core.$ZodType>>)[name]
    return member === undefined ? schema.def.catchall !== undefined : holds(member, rest)
  }
  return !(schema instanceof z.ZodType && plain.has(schema.def.type))
}
