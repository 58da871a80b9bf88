import type { conversion } from '@crm/contract'
import { newId, recordChange, schema, type Executor, type OutboxEvent, type TimelineEntry, type Transaction } from '@crm/db'
import { ApiError, invalidField, invalidReference } from '@crm/errors'
import { and, eq, isNull, or, sql, type SQL } from 'drizzle-orm'
import type { z } from 'zod'
import { emailKey } from '../../records/contact-points.ts'
import { updateRecord } from '../../records/owned/repository.ts'
import { recallLeadFacts, type LeadContext } from './leads.commands.ts'
import { alreadyConverted } from './leads.intake.ts'
import { leadKind, leadTitle, type LeadRow } from './leads.record.ts'
import { withStage } from '../../records/pipeline-facts.ts'

const { contacts, companies, deals, pipelines, stages } = schema

export type Conversion = z.output<typeof conversion>
type Party = Conversion['contact']

/** A record that a lead could be linked to. */
export interface Candidate {
  readonly id: string
  readonly name: string
  readonly matchedOn: string
}

/** Domains whose addresses say nothing about a company. */
const freeMailDomains = new Set([
  'gmail.com', 'googlemail.com', 'outlook.com', 'hotmail.com', 'live.com', 'yahoo.com', 'icloud.com', 'me.com', 'aol.com',
  'gmx.de', 'gmx.net', 'web.de', 'proton.me', 'protonmail.com', 'mail.ru', 'yandex.ru', 'free.fr', 'orange.fr',
])

/** Contacts with the lead's e-mail address, else its phone. */
export async function findContactCandidates(db: Executor, workspaceId: string, lead: LeadRow): Promise<Candidate[]> {
  const byEmail = lead.email ? await selectContacts(db, workspaceId, sql`lower(${contacts.email}) = ${emailKey(lead.email)}`, 'email') : []
  if (byEmail.length > 0 || !lead.phone) return byEmail
  return selectContacts(db, workspaceId, eq(contacts.phone, lead.phone), 'phone')
}

async function selectContacts(db: Executor, workspaceId: string, condition: SQL, matchedOn: string): Promise<Candidate[]> {
  const rows = await db
    .select({ id: contacts.id, firstName: contacts.firstName, lastName: contacts.lastName, email: contacts.email })
    .from(contacts)
    .where(and(eq(contacts.workspaceId, workspaceId), isNull(contacts.deletedAt), condition))
    .orderBy(contacts.createdAt)
    .limit(10)
  return rows.map((row) => ({ id: row.id, name: [row.firstName, row.lastName].filter(Boolean).join(' ') || row.email || '', matchedOn }))
}

/** Companies with the domain of the lead's e-mail address, else its company name. */
export async function findCompanyCandidates(db: Executor, workspaceId: string, lead: LeadRow): Promise<Candidate[]> {
  const domain = companyDomain(lead)
  const byDomain = domain ? await selectCompanies(db, workspaceId, sql`lower(${companies.domain}) = ${domain}`, 'domain') : []
  if (byDomain.length > 0 || !lead.companyName) return byDomain
  return selectCompanies(db, workspaceId, sql`lower(${companies.name}) = lower(${lead.companyName})`, 'name')
}

async function selectCompanies(db: Executor, workspaceId: string, condition: SQL, matchedOn: string): Promise<Candidate[]> {
  const rows = await db
    .select({ id: companies.id, name: companies.name })
    .from(companies)
    .where(and(eq(companies.workspaceId, workspaceId), isNull(companies.deletedAt), condition))
    .orderBy(companies.createdAt)
    .limit(10)
  return rows.map((row) => ({ ...row, matchedOn }))
}

/** The part of an e-mail address that names a company, or null for the addresses of mail providers. */
export function companyDomain(lead: Pick<LeadRow, 'email'>): string | null {
  const domain = lead.email?.split('@')[1]?.toLowerCase()
  return domain && !freeMailDomains.has(domain) ? domain : null
}

interface Outcome {
  readonly id: string | null
  readonly how: 'created' | 'linked' | 'none'
}

/** What a conversion did. */
export interface Converted {
  readonly lead: LeadRow
  readonly contactId: string | null
  readonly companyId: string | null
  readonly dealId: string | null
  readonly created: ('contact' | 'company' | 'deal')[]
  readonly linked: ('contact' | 'company' | 'deal')[]
}

/** Converts a locked lead in the running transaction (domain 5). */
export async function convertLead(tx: Transaction, context: LeadContext, lead: LeadRow, input: Conversion): Promise<Converted> {
  if (lead.convertedAt) throw alreadyConverted(lead)
  const ownerId = input.ownerId ?? lead.ownerId ?? context.caller.employee.id
  const facts = await recallLeadFacts(tx, context, { pipelineId: lead.pipelineId, ownerId, sourceId: lead.sourceId })
  if (!facts.owner) throw invalidReference('ownerId')
  const owner = { ownerId: facts.owner.id, departmentId: facts.owner.departmentId }
  const company = await settleCompany(tx, context, lead, input, owner)
  const contact = await settleContact(tx, context, lead, input, owner, company.id)
  const deal = await settleDeal(tx, context, lead, input, owner, { contactId: contact.id, companyId: company.id })
  const stage = facts.pipeline?.stages.find(({ mappedStatus }) => mappedStatus === 'CONVERTED')
  const moved = stage ? { stageId: stage.id, stageChangedAt: context.at } : {}
  const links = { contactId: contact.id, companyId: company.id, dealId: deal.id }
  const set = { ...moved, ...links, status: 'CONVERTED' as const, statusChangedAt: context.at, convertedAt: context.at }
  const converted = await withStage(updateRecord(tx, leadKind, context.workspace.id, lead.id, set, context.at))
  const outcomes = { contact, company, deal }
  const kinds = Object.keys(outcomes) as (keyof typeof outcomes)[]
  const created = kinds.filter((kind) => outcomes[kind].how === 'created')
  const linked = kinds.filter((kind) => outcomes[kind].how === 'linked')
  await traceConversion(tx, context, converted, lead, links, created)
  return { lead: converted, ...links, created, linked }
}

async function traceConversion(
  tx: Transaction,
  context: LeadContext,
  lead: LeadRow,
  before: LeadRow,
  links: Pick<Converted, 'contactId' | 'companyId' | 'dealId'>,
  created: readonly string[],
): Promise<void> {
  const changes = [{ field: 'status', from: before.status, to: lead.status }]
  const ids = { contact: links.contactId, company: links.companyId, deal: links.dealId }
  const births: TimelineEntry[] = []
  const events: OutboxEvent[] = ['lead.updated', 'lead.status_changed', 'lead.converted'].map((event) => ({
    topic: 'change', event, entityType: 'LEAD', entityId: lead.id, payload: { record: lead, changes, ...links },
  }))
  for (const [kind, id] of Object.entries(ids)) {
    if (!id || !created.includes(kind)) continue
    const entity = { entityType: kind.toUpperCase(), entityId: id }
    births.push({ ...entity, kind: 'CREATED', relatedType: 'LEAD', relatedId: lead.id })
    events.push({ topic: 'change', event: `${kind}.created`, ...entity, payload: { record: { id }, changes: [] } })
  }
  const timeline = [{ entityType: 'LEAD', entityId: lead.id, kind: 'CONVERTED', changes, data: links }, ...births]
  await recordChange(tx, { workspaceId: context.workspace.id, actor: context.actor, at: context.at, timeline, events })
}

interface Owner {
  readonly ownerId: string
  readonly departmentId: string | null
}

async function settleContact(tx: Transaction, context: LeadContext, lead: LeadRow, input: Conversion, owner: Owner, companyId: string | null): Promise<Outcome> {
  const workspaceId = context.workspace.id
  const known = await settleExisting(input.contact, input, 'contact', () => findContactCandidates(tx, workspaceId, lead), (id) => exists(tx, contacts, workspaceId, id))
  if (known) return known
  if (!lead.firstName && !lead.lastName && !lead.email && !lead.phone && input.contact.mode === 'AUTO') return { id: null, how: 'none' }
  const id = newId()
  const { firstName, lastName, email, phone, jobTitle, address, messengers, description } = lead
  await tx.insert(contacts).values({
    workspaceId, id, firstName, lastName, email, phone, jobTitle, address, messengers, description, companyId, ...owner,
    ...allowed(input.contact.fields, ['firstName', 'lastName', 'email', 'phone', 'jobTitle', 'description']),
    createdById: context.caller.employee.id, createdAt: context.at, updatedAt: context.at,
  })
  return { id, how: 'created' }
}

async function settleCompany(tx: Transaction, context: LeadContext, lead: LeadRow, input: Conversion, owner: Owner): Promise<Outcome> {
  const workspaceId = context.workspace.id
  const known = await settleExisting(input.company, input, 'company', () => findCompanyCandidates(tx, workspaceId, lead), (id) => exists(tx, companies, workspaceId, id))
  if (known) return known
  const fields = allowed(input.company.fields, ['name', 'domain', 'phone', 'email', 'website', 'description'])
  const name = fields.name ?? lead.companyName
  if (!name) {
    if (input.company.mode === 'AUTO') return { id: null, how: 'none' }
    throw invalidField(['company', 'fields', 'name'], 'The lead has no company name')
  }
  const id = newId()
  await tx.insert(companies).values({
    workspaceId, id, domain: companyDomain(lead), website: lead.website, ...owner, ...fields, name,
    createdById: context.caller.employee.id, createdAt: context.at, updatedAt: context.at,
  })
  return { id, how: 'created' }
}

async function settleExisting(
  party: Party,
  input: Conversion,
  kind: 'contact' | 'company',
  find: () => Promise<Candidate[]>,
  isKnown: (id: string) => Promise<boolean>,
): Promise<Outcome | null> {
  if (party.mode === 'NONE') return { id: null, how: 'none' }
  if (party.mode === 'EXISTING') {
    if (!party.id) throw invalidField([kind, 'id'], 'The mode EXISTING needs an id')
    if (!(await isKnown(party.id))) throw invalidReference(`${kind}.id`)
    return { id: party.id, how: 'linked' }
  }
  const candidates = await find()
  if (candidates.length > 0 && input.onDuplicate === 'ERROR') {
    const found = candidates.map(({ id }) => ({ entityType: kind.toUpperCase(), id }))
    throw new ApiError('DUPLICATE_FOUND', { message: `A matching ${kind} exists`, details: { candidates: found } })
  }
  const match = party.mode === 'AUTO' ? candidates[0] : undefined
  return match ? { id: match.id, how: 'linked' } : null
}

async function settleDeal(
  tx: Transaction,
  context: LeadContext,
  lead: LeadRow,
  { deal }: Conversion,
  owner: Owner,
  parties: { contactId: string | null; companyId: string | null },
): Promise<Outcome> {
  const workspaceId = context.workspace.id
  if (deal.mode === 'NONE') return { id: null, how: 'none' }
  if (deal.mode === 'EXISTING') {
    if (!deal.id) throw invalidField(['deal', 'id'], 'The mode EXISTING needs an id')
    if (!(await exists(tx, deals, workspaceId, deal.id))) throw invalidReference('deal.id')
    return { id: deal.id, how: 'linked' }
  }
  const stage = await chooseDealStage(tx, workspaceId, deal)
  const id = newId()
  await tx.insert(deals).values({
    workspaceId, id, name: deal.name ?? dealName(lead), amount: deal.amount, currency: deal.currency ?? context.workspace.currency,
    pipelineId: stage.pipelineId, stageId: stage.id, status: stage.type, probability: stage.probability,
    expectedCloseDate: deal.expectedCloseDate, ...parties, ...owner, leadId: lead.id,
    createdById: context.caller.employee.id, createdAt: context.at, updatedAt: context.at,
  })
  return { id, how: 'created' }
}

/** The name of the deal that a lead becomes. */
export function dealName(lead: LeadRow): string {
  return lead.companyName ?? leadTitle(lead)
}

/** The stage a new deal begins in: the one asked for, else the first of its pipeline. */
export async function chooseDealStage(db: Executor, workspaceId: string, wish: { pipelineId?: string; stageId?: string }) {
  const rows = await db
    .select({ id: stages.id, pipelineId: stages.pipelineId, type: stages.type, probability: stages.probability })
    .from(stages)
    .innerJoin(pipelines, and(eq(pipelines.workspaceId, stages.workspaceId), eq(pipelines.id, stages.pipelineId)))
    .where(
      and(
        eq(stages.workspaceId, workspaceId),
        eq(pipelines.entityType, 'DEAL'),
        wish.pipelineId ? eq(pipelines.id, wish.pipelineId) : or(eq(pipelines.isDefault, true)),
      ),
    )
    .orderBy(stages.position, stages.id)
  if (rows.length === 0 && wish.pipelineId) throw invalidReference('deal.pipelineId')
  const stage = wish.stageId ? rows.find(({ id }) => id === wish.stageId) : rows[0]
  if (!stage) throw new ApiError('STAGE_NOT_FOUND')
  return stage
}

async function exists(tx: Transaction, table: typeof contacts | typeof companies | typeof deals, workspaceId: string, id: string): Promise<boolean> {
  const rows = await tx
    .select({ id: table.id })
    .from(table)
    .where(and(eq(table.workspaceId, workspaceId), eq(table.id, id), isNull(table.deletedAt)))
  return rows.length === 1
}

function allowed(fields: Readonly<Record<string, unknown>> | undefined, names: readonly string[]): Record<string, string> {
  const taken: Record<string, string> = {}
  for (const [name, value] of Object.entries(fields ?? {})) {
    if (!names.includes(name)) throw invalidField(['fields', name], 'Unknown field')
    if (typeof value !== 'string' || value.length > 500) throw invalidField(['fields', name], 'Expected text of up to 500 characters')
    taken[name] = value
  }
  return taken
}
