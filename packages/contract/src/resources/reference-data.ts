import * as z from 'zod'
import { recordFields, requiredText } from '../fields.ts'
import { pagedList, usualPages } from '../lists.ts'
import { resource } from '../resource.ts'
import { referenceAccess, standard } from '../standard.ts'

interface ReferenceSpec<Path extends `/${string}`, Shown extends z.ZodRawShape, Fields extends z.ZodRawShape> {
  readonly path: Path
  readonly noun: string
  readonly plural: string
  /** The fields in answers besides the name and the fields of every record. */
  readonly shown: Shown
  /** The writable fields besides the name; every field is optional. */
  readonly fields: Fields
}

/** Declares the usual five operations on small named things that records refer to: unique names, and IN_USE while a reference exists. */
export function referenceData<
  const Path extends `/${string}`,
  Shown extends z.ZodRawShape,
  Fields extends z.ZodRawShape,
>(spec: ReferenceSpec<Path, Shown, Fields>) {
  const { shown, fields, ...names } = spec
  const record = z.object({ ...recordFields, name: z.string(), ...shown })
  const operations = standard({
    ...names,
    record,
    create: z.strictObject({ name: requiredText(100), ...fields }),
    update: z.strictObject({ name: requiredText(100).optional(), ...fields }),
    list: pagedList(record, usualPages, { search: z.string().max(200).optional() }),
    access: referenceAccess,
  })
  return {
    ...operations,
    create: { ...operations.create, errors: ['NAME_TAKEN'] },
    update: { ...operations.update, errors: ['NAME_TAKEN'] },
    delete: { ...operations.delete, errors: ['IN_USE'] },
  } as const
}

export const industries = resource(
  { name: 'industries', entity: 'INDUSTRY' },
  null,
  referenceData({ path: '/api/industries', noun: 'industry', plural: 'industries', shown: {}, fields: {} }),
)

/** The lead sources that the service itself uses, under whatever name a workspace gives them. */
export const systemSources = ['direct', 'booking'] as const

const leadSourceOperations = referenceData({
  path: '/api/lead-sources',
  noun: 'lead source',
  plural: 'lead sources',
  shown: { systemKey: z.enum(systemSources).nullable() },
  fields: {},
})

export const leadSources = resource({ name: 'leadSources', entity: 'LEAD_SOURCE' }, null, {
  ...leadSourceOperations,
  delete: {
    ...leadSourceOperations.delete,
    description: 'A source with a systemKey is one that the service itself uses: it can be renamed, never deleted.',
    errors: ['IN_USE', 'SYSTEM_RECORD'],
  },
})
