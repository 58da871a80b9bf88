import { newId, schema, type WeeklyHours, isAddress } from '@crm/db'
import { isTimeZone } from '@crm/scheduling'
import type { Command } from 'commander'
import { and, eq } from 'drizzle-orm'
import { audit } from '../base/audit.ts'
import { requireEmployee, requireWorkspace } from '../base/lookups.ts'
import type { Run } from '../base/run.ts'
import { CommandError } from '../base/output.ts'

interface CreateOptions {
  readonly workspace: string
  readonly organizer: string
  readonly slug: string
  readonly name?: string
  readonly duration: string
  readonly buffer: string
  readonly timezone?: string
  readonly hours: string
}

const days = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']
const reservedSlugs = ['manage', 'embed.js']

/** `crm booking-link …` */
export function addBookingLinkCommands(program: Command, run: Run): void {
  program
    .command('booking-link')
    .description('Booking links')
    .command('create')
    .description('Create a booking link')
    .requiredOption('--workspace <slug>', 'the workspace')
    .requiredOption('--organizer <email>', 'whose calendar it books')
    .requiredOption('--slug <slug>', 'end of its public address')
    .option('--name <name>', 'name as guests see it')
    .option('--duration <minutes>', 'length of a meeting', '30')
    .option('--buffer <minutes>', 'time kept free around a meeting', '0')
    .option('--timezone <zone>', 'IANA zone of the hours; that of the organizer or workspace when absent')
    .option('--hours <hours>', "such as 'MON-FRI 09:00-17:00; SAT 10:00-12:00'", 'MON-FRI 09:00-17:00')
    .action(
      run(async (options: CreateOptions, { db }) => {
        const workspace = await requireWorkspace(db, options.workspace)
        const organizer = await requireEmployee(db, workspace.id, options.organizer)
        if (!/^[a-z0-9][a-z0-9._-]{0,99}$/i.test(options.slug) || reservedSlugs.includes(options.slug))
          throw new CommandError(`${options.slug} cannot be a slug`)
        const { bookingLinks } = schema
        const same = await db
          .select({ id: bookingLinks.id })
          .from(bookingLinks)
          .where(and(eq(bookingLinks.workspaceId, workspace.id), isAddress(bookingLinks.slug, options.slug)))
        if (same.length > 0) throw new CommandError(`The slug ${options.slug} is taken`)
        const id = newId()
        await db.insert(bookingLinks).values({
          workspaceId: workspace.id,
          id,
          slug: options.slug,
          name: options.name ?? options.slug,
          organizerId: organizer.id,
          durationMin: minutes(options.duration, 1),
          bufferMin: minutes(options.buffer, 0),
          timezone: zone(options.timezone ?? organizer.timezone ?? workspace.timezone),
          weeklyHours: parseHours(options.hours),
        })
        await audit(db, workspace.id, {
          action: 'booking-link.created',
          subjectType: 'BOOKING_LINK',
          subjectId: id,
          summary: `The booking link ${options.slug}`,
        })
        return { id, slug: options.slug, url: `${workspace.baseUrl}/book/${options.slug}` }
      }),
    )
}

function minutes(text: string, min: number): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < min || value > 1440)
    throw new CommandError(`Expected ${min} to 1440 minutes, not ${text}`)
  return value
}

function zone(name: string): string {
  if (!isTimeZone(name)) throw new CommandError(`${name} is not an IANA time zone`)
  return name
}

/** Reads `MON-FRI 09:00-17:00; SAT 10:00-12:00` as weekly hours. */
function parseHours(text: string): WeeklyHours[] {
  return text.split(';').flatMap((part) => {
    const match = /^([A-Z]{3})(?:-([A-Z]{3}))? (\d\d:\d\d)-(\d\d:\d\d)$/.exec(part.trim())
    const from = days.indexOf(match?.[1] ?? '')
    const to = days.indexOf(match?.[2] ?? match?.[1] ?? '')
    if (!match?.[3] || !match[4] || from < 0 || to < 0)
      throw new CommandError(`Expected hours such as 'MON-FRI 09:00-17:00', not '${part.trim()}'`)
    const [start, end] = [match[3], match[4]]
    if (start > '23:59' || end > '24:00' || /:[6-9]/.test(start + end))
      throw new CommandError(`${start}-${end} is not a time of day`)
    const count = ((to - from + 7) % 7) + 1
    return Array.from({ length: count }, (_, at) => ({ day: (from + at) % 7, start, end }))
  })
}
