import { newId, schema } from '@crm/db'
import { lead as leadKind } from '@crm/model'
import { climb } from './history.ts'
import type { Member } from './members.ts'
import { inventColleague, inventCompany, inventPerson, type Company, type Person } from './people.ts'
import { customerTiers, interests } from './setting.ts'
import {
  addRecords,
  born,
  dayOf,
  idsByName,
  inTurn,
  later,
  pickOwner,
  readPipelines,
  soonest,
  type RecordRef,
  type Stage,
  type Story,
} from './story.ts'

const [leadCount, companyCount, dealCount] = [320, 60, 110]

/** A record that somebody works on, with the records that work on it concerns. */
export interface Subject {
  readonly id: string
  /** The name of the company that it is about. */
  readonly companyName: string
  readonly owner: Member
  readonly createdAt: string
  readonly links: readonly RecordRef[]
}

/** A lead of the demo. */
export interface DemoLead extends Subject, Pick<Person, 'firstName' | 'lastName' | 'email'> {
  readonly phone: string | null
}

/** A company with its owner and the people who work there. */
export interface Customer {
  readonly id: string
  readonly company: Company
  readonly contacts: readonly { readonly id: string; readonly person: Person }[]
  readonly owner: Member
  readonly createdAt: string
}

/** A deal of the demo. */
export interface DemoDeal extends Subject {
  readonly name: string
  readonly amount: string
  readonly currency: string
  readonly status: Stage['type']
  readonly stageChangedAt: string
  readonly customer: Customer
  readonly contactId: string
}

const industryOf: Readonly<Record<string, string>> = {
  Logistics: 'Transport and logistics',
  Software: 'Information technology',
  Foods: 'Agriculture',
  Textiles: 'Manufacturing',
  Energy: 'Energy',
  Robotics: 'Manufacturing',
  Consulting: 'Professional services',
  Media: 'Media',
  Health: 'Health care',
  Interiors: 'Retail and wholesale',
}
const cities = [
  { city: 'Berlin', postalCode: '10115', country: 'DE' },
  { city: 'Hamburg', postalCode: '20095', country: 'DE' },
  { city: 'Lyon', postalCode: '69002', country: 'FR' },
  { city: 'Malmö', postalCode: '211 20', country: 'SE' },
  { city: 'Utrecht', postalCode: '3511 AB', country: 'NL' },
  { city: 'Leeds', postalCode: 'LS1 4DY', country: 'GB' },
]
const streets = ['Harbour Street', 'Mill Lane', 'Station Road', 'Market Square', 'Garden Row', 'Canal Street']
const reasonsOfLeads = ['No answer', 'No budget', 'Not a fit']
const reasonsOfDeals = ['Chose another supplier', 'No budget this year', 'Project was called off', 'Too expensive']

/** Adds leads in all stages except the last, where no work would be left. */
export async function addLeads(story: Story): Promise<DemoLead[]> {
  const { random } = story
  const pipelines = await readPipelines(story, leadKind.entity)
  const open = pipelines.flatMap((pipeline) =>
    pipeline
      .filter(({ mappedStatus }) => mappedStatus !== null && mappedStatus !== 'CONVERTED')
      .map((to) => ({ pipeline, to })),
  )
  const sources = [...(await idsByName(story, schema.leadSources)).values()]
  const made = Array.from({ length: leadCount }, (_, serial) => {
    const { domain: _domain, ...person } = inventPerson(random, serial)
    const [id, by, at, { pipeline, to }] = [newId(), pickOwner(story), born(story), random.pick(open)]
    const on = { entityType: leadKind.entity, entityId: id }
    const { stageChangedAt, version } = climb(story, on, by, { pipeline, to, since: at })
    const row = {
      ...person,
      id,
      by,
      at,
      phone: random.chance(0.8) ? person.phone : null,
      jobTitle: random.chance(0.6) ? person.jobTitle : null,
      status: to.mappedStatus ?? 'NEW',
      pipelineId: to.pipelineId,
      stageId: to.id,
      stageChangedAt,
      statusChangedAt: stageChangedAt,
      updatedAt: stageChangedAt,
      version,
      sourceId: random.pick(sources),
      score: 20 + random.below(70),
      temperature: random.pick(['HOT', 'WARM', 'WARM', 'COLD', null] as const),
      utmSource: random.chance(0.4) ? random.pick(['google', 'newsletter', 'linkedin']) : null,
      customFields: random.chance(0.5)
        ? { budget: String((1 + random.below(40)) * 500), interests: [random.pick(interests)] }
        : {},
      tags: random.chance(0.3) ? [random.pick(['trade fair', 'priority', 'newsletter', 'partner'])] : [],
      lostReason: to.type === 'LOST' ? random.pick(reasonsOfLeads) : null,
    }
    return { row, lead: { ...person, id, phone: row.phone, owner: by, createdAt: at, links: [on] } }
  })
  await addRecords(
    story,
    leadKind.entity,
    made.map(({ row }) => row),
  )
  return made.map(({ lead }) => lead)
}

/** Adds companies and the people who work there. */
export async function addCustomers(story: Story): Promise<Customer[]> {
  const { random } = story
  const industries = await idsByName(story, schema.industries)
  const customers = Array.from({ length: companyCount }, (_, serial) => inventCustomer(story, serial))
  await addRecords(
    story,
    'COMPANY',
    customers.map(({ id, company: { name, domain, kind }, owner: by, createdAt: at }) => ({
      id,
      by,
      at,
      name,
      domain,
      website: `https://${domain}`,
      email: `office@${domain}`,
      industryId: industries.get(industryOf[kind] ?? '') ?? null,
      size: random.pick(['1–10', '11–50', '51–200', '201–500']),
      billingAddress: { line1: `${random.pick(streets)} ${1 + random.below(90)}`, ...random.pick(cities) },
      customFields: random.chance(0.7) ? { customerTier: random.pick(customerTiers) } : {},
    })),
  )
  const contacts = customers.flatMap(({ id: companyId, contacts: people, owner: by, createdAt: at }) =>
    people.map(({ id, person: { companyName: _name, domain: _domain, ...person } }) => ({
      ...person,
      id,
      by,
      at,
      companyId,
      customFields: random.chance(0.5) ? { newsletter: random.chance(0.6), metOn: dayOf(at) } : {},
    })),
  )
  await addRecords(story, 'CONTACT', contacts)
  return customers
}

function inventCustomer(story: Story, serial: number): Customer {
  const { random } = story
  const company = inventCompany(random, serial)
  const people = Array.from({ length: 1 + random.below(3) }, (_, at) =>
    inventColleague(random, 10_000 + 3 * serial + at, company),
  )
  const byEmail = new Map(people.map((person) => [person.email, person]))
  const contacts = [...byEmail.values()].map((person) => ({ id: newId(), person }))
  return { id: newId(), company, contacts, owner: pickOwner(story), createdAt: born(story) }
}

/** Adds deals with the customers, across all stages. */
export async function addDeals(story: Story, customers: readonly Customer[]): Promise<DemoDeal[]> {
  const { random, now } = story
  const [pipeline = []] = await readPipelines(story, 'DEAL')
  const made = Array.from({ length: dealCount }, (_, serial) => {
    const [id, to, customer] = [newId(), inTurn(pipeline, serial), random.pick(customers)]
    const { id: companyId, company, contacts, owner: by } = customer
    const at = soonest(later(customer.createdAt, random.below(20)), new Date(Date.parse(now) - 60_000).toISOString())
    const on = { entityType: 'DEAL', entityId: id }
    const { stageChangedAt, version } = climb(story, on, by, { pipeline, to, since: at })
    const project = random.pick(['rollout', 'pilot', 'renewal', 'extension'])
    const sold = {
      id,
      name: `${company.name.split(' ').slice(0, -1).join(' ')}: ${project}`,
      amount: String((1 + random.below(80)) * 250),
      currency: random.chance(0.9) ? 'EUR' : 'USD',
      status: to.type,
      stageChangedAt,
      contactId: random.pick(contacts).id,
    }
    const row = {
      ...sold,
      by,
      at,
      companyId,
      pipelineId: to.pipelineId,
      stageId: to.id,
      probability: to.probability,
      updatedAt: stageChangedAt,
      version,
      closedAt: to.type === 'OPEN' ? null : stageChangedAt,
      expectedCloseDate: dayOf(to.type === 'OPEN' ? later(now, random.below(100) - 15) : stageChangedAt),
      lostReason: to.type === 'LOST' ? random.pick(reasonsOfDeals) : null,
      customFields: random.chance(0.6) ? { contractMonths: random.pick([6, 12, 12, 24, 36]) } : {},
    }
    const around = [
      { entityType: 'CONTACT', entityId: sold.contactId },
      { entityType: 'COMPANY', entityId: companyId },
    ]
    const subject = { companyName: company.name, owner: by, createdAt: at, links: [on, ...around] }
    return { row, deal: { ...sold, ...subject, customer } }
  })
  await addRecords(
    story,
    'DEAL',
    made.map(({ row }) => row),
  )
  return made.map(({ deal }) => deal)
}
