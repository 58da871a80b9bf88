import { slugPattern } from '@crm/contract'
import { schema, type Executor } from '@crm/db'
import { fullName } from '@crm/identity'
import { and, eq, sql, type SQL } from 'drizzle-orm'

const { bookingLinks, employees } = schema

/** Whose calendar a link books. */
export interface Organizer {
  readonly id: string
  readonly name: string
  readonly email: string
}

/** A booking link with its organizer. */
export type Link = Omit<typeof bookingLinks.$inferSelect, 'workspaceId' | 'createdById' | 'createdAt' | 'updatedAt'> & { readonly organizer: Organizer }

/** The link with this slug, when it takes bookings: it is active, and so is its organizer. */
export async function findOpenLink(db: Executor, workspaceId: string, slug: string): Promise<Link | undefined> {
  if (!slugPattern.test(slug)) return undefined
  return findLink(db, workspaceId, and(sql`lower(${bookingLinks.slug}) = lower(${slug})`, eq(bookingLinks.isActive, true), eq(employees.status, 'ACTIVE')))
}

/** The link of a booking, whether or not it still takes new ones. */
export async function findLinkById(db: Executor, workspaceId: string, id: string): Promise<Link | undefined> {
  return findLink(db, workspaceId, eq(bookingLinks.id, id))
}

async function findLink(db: Executor, workspaceId: string, where: SQL | undefined): Promise<Link | undefined> {
  const [row] = await db
    .select({
      id: bookingLinks.id,
      slug: bookingLinks.slug,
      name: bookingLinks.name,
      description: bookingLinks.description,
      organizerId: bookingLinks.organizerId,
      durationMin: bookingLinks.durationMin,
      bufferMin: bookingLinks.bufferMin,
      timezone: bookingLinks.timezone,
      weeklyHours: bookingLinks.weeklyHours,
      dateOverrides: bookingLinks.dateOverrides,
      isActive: bookingLinks.isActive,
      showAvatar: bookingLinks.showAvatar,
      linkGuest: bookingLinks.linkGuest,
      person: { id: employees.id, firstName: employees.firstName, lastName: employees.lastName, email: employees.email },
    })
    .from(bookingLinks)
    .innerJoin(employees, and(eq(employees.workspaceId, bookingLinks.workspaceId), eq(employees.id, bookingLinks.organizerId)))
    .where(and(eq(bookingLinks.workspaceId, workspaceId), where))
  if (!row) return undefined
  const { person, ...link } = row
  return { ...link, organizer: { id: person.id, name: fullName(person), email: person.email } }
}
