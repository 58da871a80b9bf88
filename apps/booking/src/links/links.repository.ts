import { slugPattern } from '@crm/contract'
import {
  given,
  rowReader,
  run,
  schema,
  statement,
  type BookingRow,
  type Executor,
  type Statement,
  addressKey,
} from '@crm/db'
import { fullName } from '@crm/identity'
import { sql, type SQL, type SQLWrapper } from 'drizzle-orm'

const { bookingLinks, employees } = schema

/** The person whose calendar a link books. */
interface Organizer {
  readonly id: string
  readonly name: string
  readonly email: string
  /** The version of the picture that visitors may see; null where the link shows none. */
  readonly pictureVersion: string | null
}

/** A booking link with its organizer. */
export type Link = Omit<typeof bookingLinks.$inferSelect, 'workspaceId' | 'createdById' | 'createdAt' | 'updatedAt'> & {
  readonly organizer: Organizer
}

/** Whether the link of a row shows the picture of the person of that row: its switch is on, and it is still their link. */
const showsPicture = `"booking_links"."show_avatar" AND "booking_links"."organizer_id" = "employees"."id" AND "employees"."status" = 'ACTIVE'`

const columns = {
  id: bookingLinks.id,
  slug: bookingLinks.slug,
  name: bookingLinks.name,
  description: bookingLinks.description,
  organizerId: employees.id,
  durationMin: bookingLinks.durationMin,
  bufferMin: bookingLinks.bufferMin,
  timezone: bookingLinks.timezone,
  weeklyHours: bookingLinks.weeklyHours,
  dateOverrides: bookingLinks.dateOverrides,
  isActive: bookingLinks.isActive,
  showAvatar: bookingLinks.showAvatar,
  linkGuest: bookingLinks.linkGuest,
  questions: bookingLinks.questions,
  firstName: employees.firstName,
  lastName: employees.lastName,
  email: employees.email,
}
const rows = rowReader<typeof columns, { readonly pictureVersion: string | null }>(columns, {
  expressions: {
    pictureVersion: (workspaceId) =>
      sql`(SELECT p.version FROM employee_pictures p WHERE p.workspace_id = ${workspaceId} AND p.employee_id = ${employees.id} AND ${sql.raw(showsPicture)})`,
  },
})

const linkWhere = (organizerId: SQLWrapper, where: SQL): Statement =>
  statement(sql`
    SELECT ${rows.selection(given('workspaceId'))} FROM ${bookingLinks} JOIN ${employees} ON ${employees.workspaceId} = ${bookingLinks.workspaceId} AND ${employees.id} = ${organizerId}
    WHERE ${bookingLinks.workspaceId} = ${given('workspaceId')} AND ${where}`)

const openLink = linkWhere(
  bookingLinks.organizerId,
  sql`${addressKey(bookingLinks.slug)} = ${addressKey(sql`${given('slug')}::text`)} AND ${bookingLinks.isActive} AND ${employees.status} = 'ACTIVE'`,
)
const linkOfBooking = linkWhere(given('organizerId'), sql`${bookingLinks.id} = ${given('linkId')}`)

/** Returns the link with this slug if it takes bookings: the link and its organizer are active. */
export async function findOpenLink(db: Executor, workspaceId: string, slug: string): Promise<Link | undefined> {
  if (!slugPattern.test(slug)) return undefined
  return findLink(db, openLink, { workspaceId, slug })
}

/**
 * Returns the link of a booking, whether or not it still takes new ones, with the booking's own organizer: the link may
 * have another one by now.
 */
export async function findLinkOf(
  db: Executor,
  { workspaceId, linkId, organizerId }: Pick<BookingRow, 'workspaceId' | 'linkId' | 'organizerId'>,
): Promise<Link | undefined> {
  return findLink(db, linkOfBooking, { workspaceId, linkId, organizerId })
}

async function findLink(
  db: Executor,
  query: Statement,
  values: Readonly<Record<string, string>>,
): Promise<Link | undefined> {
  const [raw] = await run(db, query, values)
  if (!raw) return undefined
  const { firstName, lastName, email, pictureVersion, ...link } = rows.read(raw)
  const name = fullName({ firstName, lastName, email })
  return { ...link, organizer: { id: link.organizerId, name, email, pictureVersion } }
}

const shownPerson = statement(sql`
  SELECT ${employees.id} AS id FROM ${bookingLinks} JOIN ${employees} ON ${employees.workspaceId} = ${bookingLinks.workspaceId} AND ${employees.id} = ${bookingLinks.organizerId}
  WHERE ${bookingLinks.workspaceId} = ${given('workspaceId')} AND ${addressKey(bookingLinks.slug)} = ${addressKey(sql`${given('slug')}::text`)} AND ${sql.raw(showsPicture)}`)

/** Returns the person whose picture the link with this slug shows. */
export async function findShownPerson(db: Executor, workspaceId: string, slug: string): Promise<string | undefined> {
  if (!slugPattern.test(slug)) return undefined
  const [row] = await run<{ readonly id: string }>(db, shownPerson, { workspaceId, slug })
  return row?.id
}
