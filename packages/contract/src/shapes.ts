import * as z from 'zod'
import { commaParts, textForms } from '@crm/model/values'
import { booleanParam } from './lists.ts'
import type { Operation, Shaped } from './operation.ts'

const namesMax = 100

const names = z
  .string()
  .max(namesMax * 60)
  .transform(commaParts)
  .pipe(z.array(z.string()).min(1).max(namesMax))
  .register(textForms, { form: 'names' })

const params = {
  fields: names.optional().meta({ description: 'name,amount,cf_<name>' }),
  expand: names.optional().meta({ description: 'owner,stage,company' }),
  compact: booleanParam.optional(),
}

/** The parameters that shape an answer without a choice of records. */
export const shapeParams: readonly string[] = Object.keys(params)

const shapedKeys = ['list', 'get', 'duplicates', 'duplicatesOf'] as const

type IdField<Fields> = {
  [Name in keyof Fields]: Fields[Name] extends z.ZodGUID | z.ZodNullable<z.ZodGUID> ? Name : never
}[keyof Fields]

/** The name of the field with the records that a task or an activity is for, where records have it. */
type LinksName<Fields> = 'links' extends keyof Fields ? 'links' : never

type ExpandName<Fields> = IdField<Fields> extends infer Name ? (Name extends `${infer Stem}Id` ? Stem : never) : never

/** The options for the records of an answer, with the names of their fields and ids. */
export interface ShapedAs<Record extends z.ZodObject> extends Shaped {
  readonly record: Record
  readonly expandable: { readonly [Name in ExpandName<Record['shape']> | LinksName<Record['shape']>]: string }
}

/** The operations of a resource, those with a choice of fields marked with the record that they show. */
export type WithShapes<Operations> = Operations extends {
  readonly summary: { readonly summarized: object }
  readonly get: { readonly reply: { readonly body: z.ZodObject<{ readonly data: infer Record extends z.ZodObject }> } }
}
  ? {
      readonly [Key in keyof Operations]: Key extends (typeof shapedKeys)[number]
        ? Operations[Key] & { readonly shaped: ShapedAs<Record> }
        : Operations[Key]
    }
  : Operations

/** Adds the shape parameters wherever a resource with owned records shows them; every resource with a summary has such records. */
export function withShapes<const Operations extends Record<string, Operation>>(
  operations: Operations,
): WithShapes<Operations> {
  return addShapes(operations) as WithShapes<Operations>
}

function addShapes(operations: Readonly<Record<string, Operation>>): Readonly<Record<string, Operation>> {
  const record = recordOf(operations['get'])
  if (!operations['summary']?.summarized || !record) return operations
  const { dimensions } = operations['summary'].summarized
  const ids = Object.entries(dimensions).filter(([, { type }]) => type === 'id')
  const shaped: Shaped = {
    record,
    expandable: {
      ...Object.fromEntries(ids.map(([field]) => [field.replace(/Id$/, ''), field])),
      ...('links' in record.shape ? { links: 'links' } : {}),
    },
    customFields: operations['list']?.customFields,
  }
  const changed = shapedKeys.flatMap((key) => {
    const operation = operations[key]
    return operation
      ? [[key, { ...operation, query: z.object({ ...operation.query?.shape, ...params }), shaped }] as const]
      : []
  })
  return { ...operations, ...Object.fromEntries(changed) }
}

function recordOf(get: Operation | undefined): z.ZodObject | undefined {
  const record = get?.reply.body instanceof z.ZodObject ? get.reply.body.shape['data'] : undefined
  return record instanceof z.ZodObject ? record : undefined
}
