import type { Workspace } from '@crm/identity'
import type { Link } from './links.repository.ts'

/** A booking link as visitors see it (docs/guide/booking.md). */
export function toLinkView(link: Link, workspace: Workspace) {
  const { name, description, durationMin, timezone, showAvatar, questions } = link
  const { brand, locale, timeFormat } = workspace
  return {
    name,
    description,
    durationMin,
    timezone,
    showAvatar,
    organizer: toOrganizerView(link, workspace),
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
export function toLinkOfBooking(link: Link, workspace: Workspace) {
  const { slug, name, durationMin, timezone } = link
  return { slug, name, durationMin, timezone, organizer: toOrganizerView(link, workspace) }
}

/** Returns the organizer of a link as visitors see them: never with an email address, and with a picture only where the link shows it. */
function toOrganizerView(
  { slug, organizer: { name, email, pictureVersion } }: Link,
  { baseUrl }: Pick<Workspace, 'baseUrl'>,
) {
  return {
    name: name === email ? null : name,
    avatar: pictureVersion === null ? null : `${baseUrl}/book/photo/${slug}/${pictureVersion}`,
  }
}
