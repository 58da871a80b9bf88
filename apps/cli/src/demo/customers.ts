import { newId, schema, type Executor } from '@crm/db'
import { eq } from 'drizzle-orm'
import { customerTiers } from './custom-fields.ts'
import { climb, type History } from './history.ts'
import type { Member } from './members.ts'
import { inventColleague, inventCompany, type Company, type Person } from './people.ts'
import { born, dayMs, madeBy, pickOwner, readPipelines, type Place, type Stage } from './place.ts'

const companyCount = 60
const dealCount = 80

/** A company with its owner and the people who work there. */
export interface Customer {
  readonly companyId: string
  readonly company: Company
  readonly contacts: readonly { readonly id: string; readonly person: Person }[]
  readonly owner: Member
  readonly createdAt: string
}

/** The part of a deal that its dependent records need. */
export interface DemoDeal {
  readonly id: string
  readonly name: string
  readonly amount: string
  readonly currency: string
  readonly status: Stage['type']
  readonly owner: Member
  readonly customer: Customer
  readonly contactId: string
  readonly createdAt: string
  readonly stageChangedAt: string
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
const lostReasons = ['Chose another supplier', 'No budget this year', 'Project was called off', 'Too expensive']

/** Adds companies and the people who work there. */
export async function addCustomers(tx: Executor, place: Place, history: History): Promise<Customer[]> {
  const { workspaceId, random } = place
  const industries = await tx
    .select({ id: schema.industries.id, name: schema.industries.name })
    .from(schema.industries)
    .where(eq(schema.industries.workspaceId, workspaceId))
  const customers = Array.from({ length: companyCount }, (_, serial) => inventCustomer(place, serial))
  await tx.insert(schema.companies).values(
    customers.map(({ companyId, company, owner, createdAt }) => ({
      workspaceId,
      id: companyId,
      name: company.name,
      domain: company.domain,
      website: `https://${company.domain}`,
      email: `office@${company.domain}`,
      industryId: industries.find(({ name }) => name === industryOf[company.kind])?.id ?? null,
      size: random.pick(['1–10', '11–50', '51–200', '201–500']),
      billingAddress: { line1: `${random.pick(streets)} ${1 + random.below(90)}`, ...random.pick(cities) },
      customFields: random.chance(0.7) ? { customerTier: random.pick(customerTiers) } : {},
      ...madeBy(owner, createdAt),
    })),
  )
  await tx.insert(schema.contacts).values(
    customers.flatMap(({ companyId, contacts, owner, createdAt }) =>
      contacts.map(({ id, person: { firstName, lastName, email, phone, jobTitle } }) => ({
        workspaceId,
        id,
        companyId,
        firstName,
        lastName,
        email,
        phone,
        jobTitle,
        customFields: random.chance(0.5) ? { newsletter: random.chance(0.6), metOn: createdAt.slice(0, 10) } : {},
        ...madeBy(owner, createdAt),
      })),
    ),
  )
  for (const { companyId, contacts, owner: by, createdAt: at } of customers) {
    history.add({ entityType: 'COMPANY', entityId: companyId, kind: 'CREATED', at, by })
    history.add(...contacts.map(({ id }) => ({ entityType: 'CONTACT', entityId: id, kind: 'CREATED', at, by })))
  }
  return customers
}

function inventCustomer(place: Place, serial: number): Customer {
  const { random } = place
  const company = inventCompany(random, serial)
  const people = Array.from({ length: 1 + random.below(3) }, (_, at) =>
    inventColleague(random, 10_000 + 3 * serial + at, company),
  )
  const byEmail = new Map(people.map((person) => [person.email, person]))
  return {
    companyId: newId(),
    company,
    contacts: [...byEmail.values()].map((person) => ({ id: newId(), person })),
    owner: pickOwner(place),
    createdAt: born(place),
  }
}

/** Adds deals with the customers, across all stages. */
export async function addDeals(
  tx: Executor,
  place: Place,
  customers: readonly Customer[],
  history: History,
): Promise<DemoDeal[]> {
  const { workspaceId, random, now } = place
  const [pipeline = []] = await readPipelines(tx, workspaceId, 'DEAL')
  const made = Array.from({ length: dealCount }, () => {
    const customer = random.pick(customers)
    const stage = random.pick(pipeline)
    const id = newId()
    const createdAt = new Date(
      Math.min(Date.parse(customer.createdAt) + random.below(20) * dayMs, now.getTime() - 60_000),
    ).toISOString()
    const { path, arrivedAt } = climb(
      place,
      { entityType: 'DEAL', entityId: id },
      customer.owner,
      pipeline,
      stage,
      createdAt,
    )
    history.add(...path)
    return {
      id,
      stage,
      version: new Set(path.map(({ at }) => at)).size,
      deal: describeDeal(place, { id, customer, status: stage.type, createdAt, stageChangedAt: arrivedAt }),
    }
  })
  await tx.insert(schema.deals).values(
    made.map(({ stage, version, deal: { customer, owner, createdAt, stageChangedAt, ...deal } }) => ({
      workspaceId,
      ...deal,
      ...madeBy(owner, createdAt),
      updatedAt: stageChangedAt,
      stageChangedAt,
      version,
      pipelineId: stage.pipelineId,
      stageId: stage.id,
      probability: stage.probability,
      companyId: customer.companyId,
      closedAt: stage.type === 'OPEN' ? null : stageChangedAt,
      expectedCloseDate: expectedClose(place, stage, stageChangedAt),
      lostReason: stage.type === 'LOST' ? random.pick(lostReasons) : null,
      customFields: random.chance(0.6) ? { contractMonths: random.pick([6, 12, 12, 24, 36]) } : {},
    })),
  )
  return made.map(({ deal }) => deal)
}

function describeDeal(
  { random }: Place,
  known: Pick<DemoDeal, 'id' | 'customer' | 'status' | 'createdAt' | 'stageChangedAt'>,
): DemoDeal {
  const { company, contacts, owner } = known.customer
  return {
    ...known,
    name: `${company.name.split(' ').slice(0, -1).join(' ')}: ${random.pick(['rollout', 'pilot', 'renewal', 'extension'])}`,
    amount: String((1 + random.below(80)) * 250),
    currency: random.chance(0.9) ? 'EUR' : 'USD',
    owner,
    contactId: random.pick(contacts).id,
  }
}

function expectedClose({ random, now }: Place, { type }: Stage, stageChangedAt: string): string {
  const atMs = type === 'OPEN' ? now.getTime() + (random.below(100) - 15) * dayMs : Date.parse(stageChangedAt)
  return new Date(atMs).toISOString().slice(0, 10)
}
