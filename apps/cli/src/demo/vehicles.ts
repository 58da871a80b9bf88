import { newId, schema } from '@crm/db'
import { entityActions, type EntityAction } from '@crm/permissions'
import { and, eq, inArray, sql } from 'drizzle-orm'
import { choicesOf } from './setting.ts'
import { add, born, dayOf, madeBy, pickOwner, type Story } from './story.ts'

const models = [
  ['VW ID.4', 'electric', 0],
  ['VW Caddy', 'diesel', 118],
  ['Škoda Octavia', 'diesel', 112],
  ['Tesla Model 3', 'electric', 0],
  ['Ford Transit', 'diesel', 171],
  ['Toyota Corolla', 'hybrid', 98],
  ['Renault Kangoo', 'electric', 0],
  ['BMW 3 Series', 'hybrid', 44],
] as const

const fields = [
  { key: 'plate', label: 'Number plate', type: 'TEXT', options: [] },
  { key: 'drive', label: 'Drive', type: 'SELECT', options: choicesOf(['electric', 'hybrid', 'diesel']) },
  { key: 'emissions', label: 'CO₂ in g/km', type: 'NUMBER', options: [] },
  { key: 'inspectedOn', label: 'Last inspection', type: 'DATE', options: [] },
]

/** Adds a record type that the demo company has declared for itself: the cars that its people drive. */
export async function addVehicles(story: Story): Promise<void> {
  const { adminId, random, history, now } = story
  await add(story, schema.customEntities, [
    {
      key: 'vehicle',
      labels: { singular: 'Vehicle', plural: 'Vehicles' },
      hasOwner: true,
      createdById: adminId,
      fields: fields.map((field) => ({ ...field, isRequired: false })),
    },
  ])
  await letRolesUse(story, ['Administrator', 'Manager', 'Member'], entityActions)
  await letRolesUse(story, ['Read only'], ['VIEW'])
  for (const [at, [title, drive, emissions]] of models.entries()) {
    const [id, by, createdAt] = [newId(), pickOwner(story), born(story)]
    const customFields = { plate: `B-DC ${1_040 + at * 37}`, drive, emissions, inspectedOn: dayOf(createdAt) }
    const tags = random.chance(0.3) ? ['pool'] : []
    const row = { id, entityKey: 'vehicle', title, customFields, tags, ...madeBy(by, createdAt) }
    await add(story, schema.customRecords, [row])
    const on = { entityType: 'VEHICLE', entityId: id }
    history.add({ ...on, kind: 'CREATED', at: createdAt, by })
    if (at === 0) history.comment(on, 'Winter tyres are on; the summer ones are with the dealer.', now, by)
  }
}

/** Everybody sees the cars; a role that may change records may change these as well. */
async function letRolesUse(
  { tx, workspaceId }: Story,
  names: string[],
  actions: readonly EntityAction[],
): Promise<void> {
  const { roles } = schema
  const added = sql.param(actions.map((action) => `${action}_VEHICLE`))
  await tx
    .update(roles)
    .set({ permissions: sql`${roles.permissions} || ${added}::text[]` })
    .where(and(eq(roles.workspaceId, workspaceId), eq(roles.isSystem, true), inArray(roles.name, names)))
}
