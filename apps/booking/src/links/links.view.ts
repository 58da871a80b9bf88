import type { Workspace } from '@crm/identity'
import type { Link, Organizer } from './links.repository.ts'

/** A booking link as visitors see it (docs/guide/booking.md). */
export function toLinkView(link: Link, workspace: Workspace) {
  const { name, description, durationMin, timezone, showAvatar, organizer, questions } = link
  const { brand, locale, timeFormat } = workspace
  return {
    name,
    description,
    durationMin,
    timezone,
    showAvatar,
    organizer: toOrganizerView(organizer),
    brand,
    locale,
    timeFormat,
    questions: questions.map(({ label, type, required, options }) => ({
      label,
      type,
      required,
      options: [...options],
    })),
  }
}

/** The link of a booking as its guest sees it (docs/guide/booking.md). */
export function toLinkOfBooking({ slug, name, durationMin, timezone, organizer }: Link) {
  return { slug, name, durationMin, timezone, organizer: toOrganizerView(organizer) }
}

/** Returns an organizer as visitors see them: never with an address; people have no pictures yet. */
function toOrganizerView({ name, email }: Organizer) {
  return { name: name === email ? null : name, avatar: null }
}
