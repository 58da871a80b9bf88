import { oldShortZones } from '@crm/testkit'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { bookingContract, publicContract, scimContract, settingsContract } from './index.ts'
import type { Operation, Resource } from './operation.ts'

/** A directory sends zones in many forms; one that the product cannot use is left out by the handler. */
const leftOut = /^\/api\/scim\//

interface Door {
  readonly name: string
  readonly takes: (zone: unknown) => boolean
}

/** Returns the fields of a schema that take a time zone, at any depth. */
function zonesIn(schema: z.ZodType | undefined, path: string): readonly Door[] {
  if (schema instanceof z.ZodObject)
    return Object.entries<z.ZodType>(schema.shape).flatMap(([key, field]) =>
      /zone$/i.test(key)
        ? [{ name: `${path} ${key}`, takes: (zone) => field.safeParse(zone).success }]
        : zonesIn(field, path),
    )
  if (schema instanceof z.ZodArray) return zonesIn(schema.element as z.ZodType, path)
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return zonesIn(schema.unwrap() as z.ZodType, path)
  if (schema instanceof z.ZodPipe) return zonesIn(schema.in as z.ZodType, path)
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => zonesIn(option as z.ZodType, path))
  return []
}

const operations = [publicContract, settingsContract, scimContract, bookingContract].flatMap((contract) =>
  Object.values<Resource>(contract).flatMap((resource) => Object.values<Operation>(resource.operations)),
)
const doors = operations
  .filter(({ path }) => !leftOut.test(path))
  .flatMap(({ method, path, query, body }) => [query, body].flatMap((schema) => zonesIn(schema, `${method} ${path}`)))

describe('a time zone', () => {
  it('is taken at many doors', () => {
    expect(doors.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'PATCH /api/me timezone',
        'PATCH /api/settings/workspace timezone',
        'POST /api/settings/users timezone',
        'PATCH /api/settings/users/{id} timezone',
        'POST /api/settings/booking-links timezone',
      ]),
    )
    expect(doors.some(({ name }) => name.startsWith('POST /api/public/booking'))).toBe(true)
  })
  it.each(doors)('of $name is one that every reader takes', ({ takes }) => {
    for (const zone of ['Europe/Berlin', 'UTC', 'CET', 'US/Eastern', 'Asia/Calcutta']) expect(takes(zone)).toBe(true)
    for (const zone of [...oldShortZones, 'aet', 'SystemV/EST5', '+02:00', 'Mars/Olympus', 'Factory'])
      expect(takes(zone)).toBe(false)
  })
})
