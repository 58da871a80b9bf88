import { newId, schema, type Executor } from '@crm/db'
import { eq } from 'drizzle-orm'
import { interests } from './custom-fields.ts'
import { climb, type History } from './history.ts'
import type { Member } from './members.ts'
import { inventPerson, type Person } from './people.ts'
import { born, madeBy, pickOwner, readPipelines, type Place } from './place.ts'
import type { Random } from '@crm/runtime'

const leadCount = 320

/** The part of a lead that its dependent records need. */
export interface DemoLead {
  readonly id: string
  readonly name: string
  readonly firstName: string
  readonly lastName: string
  readonly email: string
  readonly phone: string | null
  readonly owner: Member
  readonly createdAt: string
}

/** Adds leads in all stages except the last, where no work would be left. */
export async function addLeads(tx: Executor, place: Place, history: History): Promise<DemoLead[]> {
  const { workspaceId, random } = place
  const pipelines = await readPipelines(tx, workspaceId, 'LEAD')
  const usable = pipelines.flat().filter(({ mappedStatus }) => mappedStatus !== null && mappedStatus !== 'CONVERTED')
  const sources = await tx
    .select({ id: schema.leadSources.id })
    .from(schema.leadSources)
    .where(eq(schema.leadSources.workspaceId, workspaceId))
  const made = Array.from({ length: leadCount }, (_, serial) => {
    const owner = pickOwner(place)
    const stage = random.pick(usable)
    const pipeline = pipelines.find((stages) => stages.includes(stage)) ?? []
    const id = newId()
    const createdAt = born(place)
    const { path, arrivedAt } = climb(place, { entityType: 'LEAD', entityId: id }, owner, pipeline, stage, createdAt)
    history.add(...path)
    const person = inventPerson(random, serial)
    const row = {
      workspaceId,
      id,
      ...leadFields(person, random),
      status: stage.mappedStatus ?? ('NEW' as const),
      pipelineId: stage.pipelineId,
      stageId: stage.id,
      sourceId: random.pick(sources).id,
      ...madeBy(owner, createdAt),
      updatedAt: arrivedAt,
      statusChangedAt: arrivedAt,
      stageChangedAt: arrivedAt,
      version: new Set(path.map(({ at }) => at)).size,
      score: 20 + random.below(70),
      lostReason: stage.type === 'LOST' ? random.pick(['No answer', 'No budget', 'Not a fit']) : null,
    }
    return {
      row,
      lead: {
        id,
        name: person.companyName,
        firstName: person.firstName,
        lastName: person.lastName,
        email: person.email,
        phone: person.phone,
        owner,
        createdAt,
      },
    }
  })
  await tx.insert(schema.leads).values(made.map(({ row }) => row))
  return made.map(({ lead }) => lead)
}

function leadFields({ domain: _domain, ...fields }: Person, random: Random) {
  return {
    ...fields,
    phone: random.chance(0.8) ? fields.phone : null,
    jobTitle: random.chance(0.6) ? fields.jobTitle : null,
    temperature: random.pick(['HOT', 'WARM', 'WARM', 'COLD', null] as const),
    utmSource: random.chance(0.4) ? random.pick(['google', 'newsletter', 'linkedin']) : null,
    customFields: random.chance(0.5)
      ? { budget: String((1 + random.below(40)) * 500), interests: [random.pick(interests)] }
      : {},
    tags: random.chance(0.3) ? [random.pick(['trade fair', 'priority', 'newsletter', 'partner'])] : [],
  }
}
