import { newId, schema, type Executor } from '@crm/db'
import { entityActions, type EntityAction } from '@crm/permissions'
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { History } from './history.ts'
import { born, madeBy, pickOwner, type Place } from './place.ts'

const models = [
  ['VW ID.4', 'electric', '0'],
  ['VW Caddy', 'diesel', '118'],
  ['Škoda Octavia', 'diesel', '112'],
  ['Tesla Model 3', 'electric', '0'],
  ['Ford Transit', 'diesel', '171'],
  ['Toyota Corolla', 'hybrid', '98'],
  ['Renault Kangoo', 'electric', '0'],
  ['BMW 3 Series', 'hybrid', '44'],
] as const

/** Adds a record type that the demo company has declared for itself: the cars that its people drive. */
export async function addVehicles(tx: Executor, place: Place, history: History): Promise<void> {
  const { workspaceId, adminId, random } = place
  const drives = ['electric', 'hybrid', 'diesel'].map((value) => ({
    value,
    label: value.replace(/^./, (first) => first.toUpperCase()),
  }))
  const field = (key: string, label: string, type: string, options: typeof drives = []) => ({
    key,
    label,
    type,
    options,
    isRequired: false,
  })
  await tx.insert(schema.customEntities).values({
    workspaceId,
    id: newId(),
    key: 'vehicle',
    labels: { singular: 'Vehicle', plural: 'Vehicles' },
    hasOwner: true,
    createdById: adminId,
    fields: [
      field('plate', 'Number plate', 'TEXT'),
      field('drive', 'Drive', 'SELECT', drives),
      field('emissions', 'CO₂ in g/km', 'NUMBER'),
      field('inspectedOn', 'Last inspection', 'DATE'),
    ],
  })
  await letRolesUse(tx, workspaceId)
  const vehicles = models.map(([title, drive, emissions], at) => {
    const [owner, createdAt] = [pickOwner(place), born(place)]
    const customFields = {
      plate: `B-DC ${1_040 + at * 37}`,
      drive,
      emissions: Number(emissions),
      inspectedOn: createdAt.slice(0, 10),
    }
    return {
      owner,
      row: {
        workspaceId,
        id: newId(),
        entityKey: 'vehicle',
        title,
        customFields,
        tags: random.chance(0.3) ? ['pool'] : [],
        ...madeBy(owner, createdAt),
      },
    }
  })
  await tx.insert(schema.customRecords).values(vehicles.map(({ row }) => row))
  for (const { owner, row } of vehicles)
    history.add({ entityType: 'VEHICLE', entityId: row.id, kind: 'CREATED', at: row.createdAt, by: owner })
  const [first] = vehicles
  if (first)
    history.comment(
      { entityType: 'VEHICLE', entityId: first.row.id },
      'Winter tyres are on; the summer ones are with the dealer.',
      place.now.toISOString(),
      first.owner,
    )
}

/** Everybody sees the cars; a role that may change records may change these as well. */
async function letRolesUse(tx: Executor, workspaceId: string): Promise<void> {
  const { roles } = schema
  const grant = (names: readonly string[], actions: readonly EntityAction[]) =>
    tx
      .update(roles)
      .set({
        permissions: sql`${roles.permissions} || ${sql.param(actions.map((action) => `${action}_VEHICLE`))}::text[]`,
      })
      .where(and(eq(roles.workspaceId, workspaceId), eq(roles.isSystem, true), inArray(roles.name, [...names])))
  await grant(['Administrator', 'Manager', 'Member'], entityActions)
  await grant(['Read only'], ['VIEW'])
}
