import type { CompanyInput, ContactInput, conversion, DealInput } from '@crm/contract'
import { fieldChanges, schema, type Transaction } from '@crm/db'
import { ApiError, invalidField, invalidReference, permissionRequired } from '@crm/errors'
import { and, eq, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { refusingBrokenReferences } from '../../../platform/broken-references.ts'
import { checkCustomFields, type CustomFieldDefinition } from '../../../records/custom-field-values.ts'
import { requireCurrency } from '../../../records/currencies.ts'
import { nextOwner, recallOwnedFacts, requireVisible } from '../../../records/owned/facts.ts'
import type { OwnedRow, RecordKind } from '../../../records/owned/kind.ts'
import { updateRecord } from '../../../records/owned/repository.ts'
import { leaveTrace, type Origin } from '../../../records/owned/trace.ts'
import { withStage } from '../../../records/pipeline-facts.ts'
import { companyKind } from '../../../kinds/companies.ts'
import { contactKind } from '../../../kinds/contacts.ts'
import { dealKind } from '../../../kinds/deals.ts'
import type { WriteContext } from '../../../records/owned/write.ts'
import { recallLeadFacts } from './leads.commands.ts'
import {
  companyDomain,
  companyName,
  findCompanyCandidates,
  findContactCandidates,
  type Candidate,
} from './leads.counterparts.ts'
import { alreadyConverted } from './leads.intake.ts'
import { leadKind, leadTitle, type LeadRow } from '../../../kinds/leads.ts'

export type Conversion = z.output<typeof conversion>

type Part = 'contact' | 'company' | 'deal'

interface Outcome {
  readonly id: string | null
  readonly how: 'created' | 'linked' | 'none'
}

const none: Outcome = { id: null, how: 'none' }

/** The result of a conversion. */
export interface Converted {
  readonly lead: LeadRow
  readonly contactId: string | null
  readonly companyId: string | null
  readonly dealId: string | null
  readonly created: Part[]
  readonly linked: Part[]
}

type Create<Input> = (
  tx: Transaction,
  context: WriteContext,
  input: Input,
  origin: Origin,
) => Promise<{ readonly id: string }>

/** The functions that create the records that a lead can become; each kind belongs to a resource of its own. */
export interface ConversionTargets {
  readonly createCompany: Create<CompanyInput>
  readonly createContact: Create<ContactInput>
  readonly createDeal: Create<DealInput>
}

/** A lead in the process of conversion. */
interface Converting {
  readonly targets: ConversionTargets
  readonly tx: Transaction
  readonly context: WriteContext
  readonly lead: LeadRow
  readonly input: Conversion
  /** The owner of the new records. */
  readonly ownerId: string
  /** The custom fields of leads. */
  readonly ofLead: readonly CustomFieldDefinition[]
}

/** Converts a locked lead in the running transaction (docs/guide/leads-and-deals.md). */
export async function convertLead(
  targets: ConversionTargets,
  tx: Transaction,
  context: WriteContext,
  lead: LeadRow,
  asked: Conversion,
): Promise<Converted> {
  const input = { ...asked, contact: partyOf(asked, 'contact'), company: partyOf(asked, 'company') }
  if (lead.convertedAt) throw alreadyConverted(lead)
  const facts = await recallLeadFacts(tx, context, {
    pipelineId: lead.pipelineId,
    ownerId: nextOwner(context, input, lead),
    sourceId: lead.sourceId,
  })
  if (input.ownerId && !facts.owner) throw invalidReference('ownerId')
  // The owner of the lead may have left; then the new records belong to the person who converts it.
  const ownerId = facts.owner?.id ?? context.caller.employee.id
  const converting = { targets, tx, context, lead, input, ownerId, ofLead: facts.customFields }

  const matches = await findMatches(converting)
  if (input.onDuplicate === 'ERROR') refuseDuplicates(matches)
  const company = await settleCompany(converting, matches.company)
  const contact = await settleContact(converting, matches.contact, company.id)
  const deal = await settleDeal(converting, contact.id, company.id)

  const stage = facts.pipeline?.stages.find(({ mappedStatus }) => mappedStatus === 'CONVERTED')
  const links = { contactId: contact.id, companyId: company.id, dealId: deal.id }
  await takeAlong(converting, links)
  const converted = await closeLead(converting, {
    ...links,
    ...(stage ? { stageId: stage.id, stageChangedAt: context.at } : {}),
  })
  const parts = Object.entries({ contact, company, deal }) as [Part, Outcome][]
  const partsThat = (how: Outcome['how']) => parts.flatMap(([part, outcome]) => (outcome.how === how ? [part] : []))
  return { lead: converted, ...links, created: partsThat('created'), linked: partsThat('linked') }
}

/** Returns what is to become of the person or the company of a lead, in either form of the request. */
function partyOf(asked: Conversion, part: 'contact' | 'company'): Conversion['contact'] & Conversion['company'] {
  const [idName, createName] =
    part === 'contact' ? (['contactId', 'createContact'] as const) : (['companyId', 'createCompany'] as const)
  const { [part]: party, [idName]: id, [createName]: creates } = asked
  if (id === undefined && creates === undefined) return party
  if (id !== undefined && creates !== undefined) throw invalidField(createName, `Either ${idName} or ${createName}`)
  if (party.mode !== 'AUTO')
    throw invalidField([part, 'mode'], `Either ${part} or ${id === undefined ? createName : idName}`)
  return { ...party, ...(id === undefined ? { mode: 'CREATE' } : { mode: 'EXISTING', id }) }
}

/** The tags and custom fields that a conversion gives to a new record. */
interface GivenFields {
  readonly tags?: string[] | undefined
  readonly customFields?: Record<string, unknown> | undefined
}

/** Returns the tags of a new record, and its custom fields: those that are given, else those of the lead of the same key and type. */
async function carried({ tx, context, lead, ofLead, ownerId }: Converting, kind: RecordKind, given: GivenFields = {}) {
  const { customFields: ofKind } = await recallOwnedFacts(tx, context, kind, ownerId)
  const values = Object.entries(lead.customFields).filter(([key, value]) => {
    const [from, to] = [ofLead, ofKind].map((all) => all.find((field) => field.key === key))
    return from && from.type === to?.type && checkCustomFields([to], { [key]: value }, {}).issues.length === 0
  })
  return {
    tags: given.tags ?? lead.tags,
    customFields: { ...Object.fromEntries(values), ...given.customFields },
  }
}

/** Links the files of the lead to what it became, and moves its comments to where the work goes on. */
async function takeAlong({ tx, context, lead }: Converting, links: Links): Promise<void> {
  const became = [
    [dealKind, links.dealId],
    [contactKind, links.contactId],
    [companyKind, links.companyId],
  ] as const
  const [first, ...others] = became.flatMap(([{ entityType }, entityId]) =>
    entityId === null ? [] : [{ entityType, entityId }],
  )
  if (!first) return
  const { fileLinks, comments } = schema
  const of = { workspaceId: context.workspace.id, entityType: leadKind.entityType, entityId: lead.id }
  for (const { entityType, entityId } of [first, ...others])
    await tx.execute(sql`
      INSERT INTO ${fileLinks} (workspace_id, file_id, entity_type, entity_id, created_at)
      SELECT workspace_id, file_id, ${entityType}, ${entityId}::uuid, created_at FROM ${fileLinks}
      WHERE workspace_id = ${of.workspaceId} AND entity_type = ${of.entityType} AND entity_id = ${of.entityId} ON CONFLICT DO NOTHING`)
  await tx
    .update(comments)
    .set(first)
    .where(
      and(
        eq(comments.workspaceId, of.workspaceId),
        eq(comments.entityType, of.entityType),
        eq(comments.entityId, of.entityId),
      ),
    )
}

type Links = Pick<Converted, 'contactId' | 'companyId' | 'dealId'>

const followers: readonly string[] = ['statusChangedAt', 'stageChangedAt', 'convertedAt']

/** Marks the lead as converted, with one entry in its history and all events. */
async function closeLead(
  { tx, context, lead }: Converting,
  columns: Links & { readonly stageId?: string },
): Promise<LeadRow> {
  const { contactId, companyId, dealId } = columns
  const links = { contactId, companyId, dealId }
  const set = { ...columns, status: 'CONVERTED' as const, statusChangedAt: context.at, convertedAt: context.at }
  const record = await withStage(updateRecord(tx, leadKind, context.workspace.id, lead.id, set, context.at))
  const changes = fieldChanges<LeadRow>(lead, set).filter(({ field }) => !followers.includes(field))
  const special =
    leadKind.changeEvents?.(
      record,
      changes.map(({ field }) => field),
    ) ?? []
  const of = { entityType: leadKind.entityType, entityId: lead.id }
  await leaveTrace(tx, context, leadKind, {
    timeline: [{ ...of, kind: 'CONVERTED', changes, data: links }],
    events: ['lead.updated', ...special, 'lead.converted'].map((event) => ({
      topic: 'change',
      event,
      ...of,
      payload: { record, changes, ...links },
    })),
  })
  return record
}

interface Matches {
  readonly contact: readonly Candidate[]
  readonly company: readonly Candidate[]
}

/** Finds the records that look like the planned ones, as far as the caller may see them. */
async function findMatches({ tx, context, lead, input }: Converting): Promise<Matches> {
  const isAsked = ({ mode }: { readonly mode: string }) =>
    mode === 'AUTO' || (mode === 'CREATE' && input.onDuplicate === 'ERROR')
  return {
    contact: isAsked(input.contact)
      ? await findContactCandidates(tx, context, contactDraft(lead, input.contact.fields))
      : [],
    company: isAsked(input.company)
      ? await findCompanyCandidates(tx, context, companyDraft(lead, input.company.fields), { isSure: true })
      : [],
  }
}

function refuseDuplicates(matches: Matches): void {
  const found = (['contact', 'company'] as const).filter((part) => matches[part].length > 0)
  if (found.length === 0) return
  const candidates = found.flatMap((part) => matches[part].map(({ id }) => ({ entityType: part.toUpperCase(), id })))
  throw new ApiError('DUPLICATE_FOUND', {
    message: `A matching ${found.join(' and a matching ')} exists`,
    details: { candidates },
  })
}

/** Returns the contact that a lead would become. */
export function contactDraft(lead: LeadRow, fields: Conversion['contact']['fields']): ContactInput {
  const { firstName, lastName, email, phone, jobTitle, messengers, description } = lead
  return { firstName, lastName, email, phone, jobTitle, address: lead.address, messengers, description, ...fields }
}

/** Returns the company that a lead would become; it may lack a name. */
export function companyDraft(lead: LeadRow, fields: Conversion['company']['fields']): Partial<CompanyInput> {
  return {
    ...(companyName(lead.companyName) ? { name: lead.companyName as string } : {}),
    domain: companyDomain(lead.email),
    website: lead.website,
    ...fields,
  }
}

async function settleContact(
  converting: Converting,
  matches: readonly Candidate[],
  companyId: string | null,
): Promise<Outcome> {
  const { targets, tx, context, lead, input, ownerId } = converting
  const { contact } = input
  const known = await settleKnown(converting, contactKind, contact, matches)
  if (known) return known
  const draft = contactDraft(lead, contact.fields)
  if (contact.mode === 'AUTO' && !isPerson(draft)) return none
  requireCreate(context, contactKind)
  const { id } = await within(
    ['contact', 'fields'],
    targets.createContact(
      tx,
      context,
      { ...draft, ...(await carried(converting, contactKind, contact.fields)), companyId, ownerId },
      originOf(lead),
    ),
  )
  return { id, how: 'created' }
}

/** Whether the known fields are enough for a contact. */
export function isPerson({ firstName, lastName, email, phone }: ContactInput): boolean {
  return Boolean(firstName || lastName || email || phone)
}

async function settleCompany(converting: Converting, matches: readonly Candidate[]): Promise<Outcome> {
  const { targets, tx, context, lead, input, ownerId } = converting
  const { company } = input
  const known = await settleKnown(converting, companyKind, company, matches)
  if (known) return known
  const { name, ...draft } = companyDraft(lead, company.fields)
  if (!name && company.mode === 'AUTO') return none
  if (!name) throw invalidField(['company', 'fields', 'name'], 'The lead has no company name')
  requireCreate(context, companyKind)
  const { id } = await within(
    ['company', 'fields'],
    targets.createCompany(
      tx,
      context,
      { ...draft, ...(await carried(converting, companyKind, company.fields)), name, ownerId },
      originOf(lead),
    ),
  )
  return { id, how: 'created' }
}

async function settleDeal(
  converting: Converting,
  contactId: string | null,
  companyId: string | null,
): Promise<Outcome> {
  const { targets, tx, context, lead, input, ownerId } = converting
  const { mode, id: existingId, name = dealName(lead), ...fields } = input.deal
  if (mode === 'NONE') return none
  if (mode === 'EXISTING') return linkTo(tx, context, dealKind, existingId)
  requireCreate(context, dealKind)
  await requireCurrency(tx, context, fields.currency)
  const { id } = await within(
    ['deal'],
    targets.createDeal(
      tx,
      context,
      {
        ...fields,
        ...(await carried(converting, dealKind, fields)),
        name,
        contactId,
        companyId,
        leadId: lead.id,
        ownerId,
      },
      originOf(lead),
    ),
  )
  return { id, how: 'created' }
}

/** Returns the outcome where nothing is created; null when a record must be created. */
async function settleKnown<Row extends OwnedRow>(
  { tx, context }: Converting,
  kind: RecordKind<Row>,
  { mode, id }: Conversion['contact' | 'company'],
  matches: readonly Candidate[],
): Promise<Outcome | null> {
  if (mode === 'NONE') return none
  if (mode === 'EXISTING') return linkTo(tx, context, kind, id)
  const [match] = mode === 'AUTO' ? matches : []
  return match ? { id: match.id, how: 'linked' } : null
}

async function linkTo<Row extends OwnedRow>(
  tx: Transaction,
  context: WriteContext,
  kind: RecordKind<Row>,
  id: string | undefined,
): Promise<Outcome> {
  if (!id) throw invalidField([kind.noun, 'id'], 'The mode EXISTING needs an id')
  await requireVisible(tx, context, kind, id, `${kind.noun}.id`)
  return { id, how: 'linked' }
}

function requireCreate({ caller }: WriteContext, { entityType }: Pick<RecordKind, 'entityType'>): void {
  const permission = `CREATE_${entityType}`
  if (!caller.effective.has(permission)) throw permissionRequired(permission)
}

function originOf({ id }: LeadRow) {
  return { relatedType: leadKind.entityType, relatedId: id }
}

/** Runs work and adds to a refusal the path of the field in the body of the conversion. */
async function within<T>(path: readonly string[], work: Promise<T>): Promise<T> {
  try {
    return await refusingBrokenReferences(work)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { code, message, extras } = error
    if (code === 'VALIDATION_ERROR')
      throw new ApiError(code, {
        ...extras,
        message,
        issues: extras.issues?.map((issue) => ({ ...issue, path: [...path, ...issue.path] })),
      })
    if (code === 'INVALID_REFERENCE') throw invalidReference([...path, String(extras.details?.['field'])].join('.'))
    throw error
  }
}

/** Returns the name of the deal that a lead becomes. */
export function dealName(lead: LeadRow): string {
  return companyName(lead.companyName) ?? leadTitle(lead)
}
