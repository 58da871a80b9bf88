import { createPipeline, newId, schema, type Executor, type LeadStatus } from '@crm/db'
import { and, eq } from 'drizzle-orm'
import type { Member } from './members.ts'
import { inventPerson, type Person } from './people.ts'
import type { Random } from './random.ts'

const leadCount = 320
const companyCount = 60
const dealCount = 80
const dayMs = 24 * 60 * 60 * 1000

interface Place {
  readonly workspaceId: string
  readonly adminId: string
  readonly members: readonly Member[]
  readonly random: Random
  readonly now: Date
}

/** Fills the demo workspace with believable leads, companies, contacts and deals. */
export async function addRecords(tx: Executor, place: Place): Promise<void> {
  await createPipeline(tx, place.workspaceId, 'LEAD', 'Partnerships', false, [
    { name: 'Idea', mappedStatus: 'NEW', color: '#7048e8' },
    { name: 'Talks', mappedStatus: 'IN_PROGRESS', color: '#1c7ed6' },
    { name: 'Agreed', mappedStatus: 'QUALIFIED', color: '#37b24d' },
    { name: 'Partner', type: 'WON', mappedStatus: 'CONVERTED', color: '#2b8a3e' },
    { name: 'No fit', type: 'LOST', mappedStatus: 'UNQUALIFIED', color: '#868e96' },
  ])
  await addLeads(tx, place)
  await addCustomers(tx, place)
}

function born({ random, now }: Place): string {
  return new Date(now.getTime() - Math.floor(random.next() ** 2 * 200 * dayMs) - 60_000).toISOString()
}

async function addLeads(tx: Executor, place: Place): Promise<void> {
  const { workspaceId, members, random, adminId } = place
  const { stages, pipelines, leadSources } = schema
  const open = await tx.select({ id: stages.id, pipelineId: stages.pipelineId, status: stages.mappedStatus }).from(stages)
    .innerJoin(pipelines, and(eq(pipelines.workspaceId, stages.workspaceId), eq(pipelines.id, stages.pipelineId)))
    .where(and(eq(stages.workspaceId, workspaceId), eq(pipelines.entityType, 'LEAD')))
  const usable = open.filter((stage) => stage.status !== null && stage.status !== 'CONVERTED')
  const sources = await tx.select({ id: leadSources.id }).from(leadSources).where(eq(leadSources.workspaceId, workspaceId))
  const rows = Array.from({ length: leadCount }, (_, serial) => {
    const owner = random.pick(members)
    const stage = random.pick(usable)
    const at = born(place)
    const person = inventPerson(random, serial)
    return {
      workspaceId, id: newId(), ...leadFields(person, random), status: stage.status as LeadStatus, pipelineId: stage.pipelineId, stageId: stage.id,
      sourceId: random.pick(sources).id, ownerId: owner.id, departmentId: owner.departmentId, createdById: adminId, createdAt: at, updatedAt: at,
      statusChangedAt: at, stageChangedAt: at, score: 20 + random.below(70),
    }
  })
  await tx.insert(schema.leads).values(rows)
  const actor = { actorType: 'EMPLOYEE' as const, actorId: adminId, actorName: 'Ada Admin', source: 'IMPORT' }
  await tx.insert(schema.timeline).values(rows.map((lead) => ({ workspaceId, entityType: 'LEAD', entityId: lead.id, kind: 'CREATED', occurredAt: lead.createdAt, ...actor })))
  const commented = rows.filter(() => random.chance(0.15))
  await tx.insert(schema.comments).values(
    commented.map((lead) => ({
      workspaceId, entityType: 'LEAD', entityId: lead.id, body: random.pick(notes), authorType: 'EMPLOYEE' as const, authorId: lead.ownerId,
      authorName: 'Sales team', createdById: lead.ownerId, createdAt: lead.createdAt, updatedAt: lead.createdAt,
    })),
  )
}

const notes = [
  'Asked for a call next week.',
  'Wants the price list before deciding.',
  'Met at the trade fair; very interested in the integration.',
  'Has a budget, needs approval of the board.',
  'Currently with another supplier until the end of the quarter.',
]

function leadFields(person: Person, random: Random) {
  const { domain: _domain, ...fields } = person
  return {
    ...fields,
    phone: random.chance(0.8) ? fields.phone : null,
    jobTitle: random.chance(0.6) ? fields.jobTitle : null,
    temperature: random.pick(['HOT', 'WARM', 'WARM', 'COLD', null] as const),
    utmSource: random.chance(0.4) ? random.pick(['google', 'newsletter', 'linkedin']) : null,
    tags: random.chance(0.3) ? [random.pick(['trade fair', 'priority', 'newsletter', 'partner'])] : [],
  }
}

async function addCustomers(tx: Executor, place: Place): Promise<void> {
  const { workspaceId, members, random, adminId } = place
  const { stages, pipelines } = schema
  const dealStages = await tx.select({ id: stages.id, pipelineId: stages.pipelineId, type: stages.type, probability: stages.probability }).from(stages)
    .innerJoin(pipelines, and(eq(pipelines.workspaceId, stages.workspaceId), eq(pipelines.id, stages.pipelineId)))
    .where(and(eq(stages.workspaceId, workspaceId), eq(pipelines.entityType, 'DEAL')))
  const customers = Array.from({ length: companyCount }, (_, at) => {
    const owner = random.pick(members)
    const createdAt = born(place)
    const stamps = { ownerId: owner.id, departmentId: owner.departmentId, createdById: adminId, createdAt, updatedAt: createdAt }
    return { companyId: newId(), contactId: newId(), person: inventPerson(random, 10_000 + at), stamps }
  })
  await tx.insert(schema.companies).values(
    customers.map(({ companyId, person, stamps }) => ({ workspaceId, id: companyId, name: person.companyName, domain: person.domain, website: `https://${person.domain}`, ...stamps })),
  )
  await tx.insert(schema.contacts).values(
    customers.map(({ companyId, contactId, person: { firstName, lastName, email, phone, jobTitle }, stamps }) => ({
      workspaceId, id: contactId, companyId, firstName, lastName, email, phone, jobTitle, ...stamps,
    })),
  )
  await tx.insert(schema.deals).values(
    Array.from({ length: dealCount }, () => {
      const { companyId, contactId, person, stamps } = random.pick(customers)
      const stage = random.pick(dealStages)
      return {
        workspaceId, id: newId(), name: `${person.companyName.split(' ').slice(0, 2).join(' ')}: ${random.pick(['rollout', 'pilot', 'renewal', 'extension'])}`,
        amount: String((1 + random.below(80)) * 250), currency: 'EUR', pipelineId: stage.pipelineId, stageId: stage.id, status: stage.type,
        probability: stage.probability, companyId, contactId, ...stamps,
      }
    }),
  )
}
