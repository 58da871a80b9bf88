import { withAsciiDomain } from '@crm/contract'
import { recordChange, schema, systemScope, type Actor, type BookingRow, type Transaction, isAddress } from '@crm/db'
import { isRefusal } from '@crm/errors'
import { readWorkspace, type Workspace } from '@crm/identity'
import { and, eq, isNull, sql, type SQL } from 'drizzle-orm'
import { toE164 } from '../records/contact-points.ts'
import { tell } from '../records/notices.ts'
import { requireQuota } from '../records/quotas.ts'
import { traceComment } from '../resources/work/comments/comments.handlers.ts'
import { insertComment } from '../resources/work/comments/comments.repository.ts'
import { changeOf } from '../records/owned/plan.ts'
import { insertRecord, lockRecords, updateRecord } from '../records/owned/repository.ts'
import { traceChanged, traceCreated } from '../records/owned/trace.ts'
import { contactKind } from '../kinds/contacts.ts'
import { recallLeadFacts } from '../resources/sales/leads/leads.commands.ts'
import { planLead, planLeadChange } from '../resources/sales/leads/leads.intake.ts'
import { leadKind } from '../kinds/leads.ts'
import { lockContactPoints } from '../resources/sales/leads/leads.repository.ts'
import { guestEntity, lockBookingOf, noteOnRecord, type GuestEntity } from './guest-record.ts'
import type { JobHandler } from './job-handler.ts'

const commentMax = 10_000

const { bookings, bookingLinks, contacts, leadSources, leads } = schema

interface Linking {
  readonly tx: Transaction
  readonly workspace: Workspace
  readonly booking: BookingRow
  readonly actor: Actor
  /** The guest's phone number in E.164, when the guest's text is a number. */
  readonly phone: string | null
  readonly at: string
  /** The operation to which all entries of history belong. */
  readonly groupId: string
}

/**
 * Links the guest of a booking to a contact or lead, once: by email address, then phone, among contacts, then leads, else
 * to a new lead (docs/guide/booking.md). The note becomes a comment, and an empty phone is filled.
 */
export const linkGuest: JobHandler = async ({ row, tx, deps, at }) => {
  const given = await lockBookingOf(tx, row)
  if (!given || guestEntity(given)) return
  // Records have their addresses as mail is sent.
  const booking = { ...given, inviteeEmail: withAsciiDomain(given.inviteeEmail) }
  const workspace = await readWorkspace(deps.pool, row.workspaceId, { withQuotas: true })
  if (!workspace) return
  const actor: Actor = { type: 'EXTERNAL', id: null, name: booking.inviteeName, source: 'BOOKING' }
  const linking = {
    tx,
    workspace,
    booking,
    actor,
    phone: booking.inviteePhone ? toE164(booking.inviteePhone) : null,
    at,
    groupId: row.id,
  }
  try {
    const entity = (await useContact(linking)) ?? (await useLead(linking)) ?? (await makeLead(linking))
    await keepLink(linking, entity)
  } catch (error) {
    if (!isRefusal(error)) throw error
    await tellOrganizer(linking, error.message)
  }
}

/**
 * Returns the condition that a record has the guest's email address or phone; the queries put matches by address first,
 * then the oldest.
 */
function foundBy(column: { email: SQL; phone: SQL }, { booking, phone }: Linking): SQL {
  const byEmail = isAddress(column.email, booking.inviteeEmail)
  return phone ? sql`(${byEmail} OR ${column.phone} = ${phone})` : byEmail
}

async function useContact(linking: Linking): Promise<GuestEntity | undefined> {
  const { tx, workspace, booking, phone, actor, at, groupId } = linking
  const isFound = foundBy({ email: sql`${contacts.email}`, phone: sql`${contacts.phone}` }, linking)
  const [found] = await tx
    .select({ id: contacts.id })
    .from(contacts)
    .where(and(eq(contacts.workspaceId, workspace.id), isNull(contacts.deletedAt), isFound))
    .orderBy(sql`${isAddress(contacts.email, booking.inviteeEmail)} IS NOT TRUE`, contacts.createdAt)
    .limit(1)
  const contact = found && (await lockRecords(tx, contactKind, systemScope(workspace.id), [found.id])).get(found.id)
  if (!contact) return undefined
  if (phone && !contact.phone) {
    const { set, changes } = changeOf(contact, { phone })
    const changed = await updateRecord(tx, contactKind, workspace.id, contact.id, set, at)
    await recordChange(tx, {
      workspaceId: workspace.id,
      actor,
      at,
      groupId,
      ...traceChanged(contactKind, changed, changes),
    })
  }
  return { entityType: 'CONTACT', entityId: contact.id }
}

async function useLead(linking: Linking): Promise<GuestEntity | undefined> {
  const { tx, workspace, booking, phone, actor, at, groupId } = linking
  // Two bookings of one new guest wait for each other here, so that the second finds the lead of the first.
  await lockContactPoints(tx, workspace.id, { email: booking.inviteeEmail, phone } as Parameters<
    typeof lockContactPoints
  >[2])
  const isFound = foundBy({ email: sql`${leads.email}`, phone: sql`${leads.phone}` }, linking)
  const [found] = await tx
    .select({ id: leads.id })
    .from(leads)
    .where(and(eq(leads.workspaceId, workspace.id), isNull(leads.deletedAt), isFound))
    .orderBy(
      sql`${isAddress(leads.email, booking.inviteeEmail)} IS NOT TRUE`,
      sql`${leads.convertedAt} IS NOT NULL`,
      leads.createdAt,
    )
    .limit(1)
  const lead = found && (await lockRecords(tx, leadKind, systemScope(workspace.id), [found.id])).get(found.id)
  if (!lead) return undefined
  if (phone && !lead.phone) {
    const facts = await recallLeadFacts(tx, unremembered(workspace), {
      pipelineId: lead.pipelineId,
      ownerId: lead.ownerId ?? booking.organizerId,
      sourceId: lead.sourceId,
    })
    const { set, changes } = planLeadChange(lead, { phone }, facts, at)
    const changed = await updateRecord(tx, leadKind, workspace.id, lead.id, set, at)
    await recordChange(tx, {
      workspaceId: workspace.id,
      actor,
      at,
      groupId,
      ...traceChanged(leadKind, changed, changes),
    })
  }
  return { entityType: 'LEAD', entityId: lead.id }
}

async function makeLead({ tx, workspace, booking, phone, actor, at, groupId }: Linking): Promise<GuestEntity> {
  const [source] = await tx
    .select({ id: leadSources.id })
    .from(leadSources)
    .where(and(eq(leadSources.workspaceId, workspace.id), eq(leadSources.systemKey, 'booking')))
  const facts = await recallLeadFacts(tx, unremembered(workspace), {
    ownerId: booking.organizerId,
    sourceId: source?.id,
  })
  const input = { ...splitName(booking.inviteeName), email: booking.inviteeEmail, ...(phone ? { phone } : {}) }
  // A guest cannot fill custom fields, so none is required here.
  const values = planLead(input, { ...facts, customFields: [] }, at)
  await requireQuota(tx, workspace, 'leads')
  const lead = await insertRecord(
    tx,
    leadKind,
    { workspaceId: workspace.id, createdById: booking.organizerId, at },
    { ...values, statusChangedAt: at, stageChangedAt: at },
  )
  await recordChange(tx, { workspaceId: workspace.id, actor, at, groupId, ...traceCreated(leadKind, lead) })
  return { entityType: 'LEAD', entityId: lead.id }
}

/** Returns a context without memory: background work reads from the database each time. */
function unremembered(workspace: Workspace) {
  return { workspace, remembered: <T extends object>(_key: string, read: () => Promise<T>) => read() }
}

/** Splits a name: the last word is the family name; a single word is a first name. */
function splitName(name: string): { firstName: string; lastName?: string } {
  const words = name.split(/\s+/)
  const lastName = words.length > 1 ? words.pop() : undefined
  return { firstName: words.join(' '), lastName }
}

async function keepLink({ tx, workspace, booking, actor, at, groupId }: Linking, entity: GuestEntity): Promise<void> {
  const link = entity.entityType === 'LEAD' ? { leadId: entity.entityId } : { contactId: entity.entityId }
  await tx
    .update(bookings)
    .set({ ...link, updatedAt: at })
    .where(and(eq(bookings.workspaceId, workspace.id), eq(bookings.id, booking.id)))
  const [made] = await tx
    .select({ name: bookingLinks.name })
    .from(bookingLinks)
    .where(and(eq(bookingLinks.workspaceId, workspace.id), eq(bookingLinks.id, booking.linkId)))
  // A cancellation before the guest had a record could not be noted then, so it is noted here.
  const kinds = [
    'BOOKING_CREATED',
    'MEETING_SCHEDULED',
    ...(booking.status === 'CANCELLED' ? ['MEETING_CANCELLED'] : []),
  ]
  await noteOnRecord(tx, booking, entity, { kinds, actor, at, groupId, data: { linkName: made?.name ?? null } })
  const body = commentOf(booking)
  if (!body) return
  const { comment, isNew } = await insertComment(tx, workspace.id, {
    ...entity,
    body,
    visibility: 'INTERNAL',
    authorType: 'EXTERNAL',
    authorName: booking.inviteeName,
    authorEmail: booking.inviteeEmail,
    externalSource: 'booking',
    externalId: booking.id,
    createdAt: at,
    updatedAt: at,
  })
  if (isNew) await traceComment(tx, { workspace, actor, at, groupId }, comment)
}

/** Returns what a guest wrote: the note, then the answers to the questions of the link. */
function commentOf({ note, answers }: Linking['booking']): string {
  const lines = answers.map(
    ({ label, value }) => `${label}: ${typeof value === 'string' ? value : value ? 'Yes' : 'No'}`,
  )
  return [...(note ? [note] : []), ...(lines.length > 0 ? [lines.join('\n')] : [])].join('\n\n').slice(0, commentMax)
}

async function tellOrganizer({ tx, workspace, booking, at }: Linking, reason: string): Promise<void> {
  const text = `${booking.inviteeName}, who has booked, could not become a lead: ${reason}`
  const data = { bookingId: booking.id, name: booking.inviteeName }
  await tell(tx, { workspaceId: workspace.id, at }, [
    { employeeId: booking.organizerId, kind: 'booking.guest-not-linked', text, data },
  ])
}
