import { openPicture } from '@crm/db'
import type { Workspace } from '@crm/identity'
import type { FastifyReply } from 'fastify'
import { Readable } from 'node:stream'
import type { BookingDeps } from '../platform/deps.ts'
import { findShownPerson } from '../links/links.repository.ts'

interface Asked {
  readonly deps: BookingDeps
  readonly reply: FastifyReply
  readonly workspace: Workspace
}

/** Websites with the widget show the picture, too. It is kept for minutes, so that it disappears soon after a link no longer shows it. */
const headers = {
  'cache-control': 'public, max-age=300',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
  'x-robots-tag': 'noindex',
}

/** Answers with the picture of the organizer of a link; undefined when the link shows none, or another version by now. */
export async function sendPhoto(
  { deps: { db }, reply, workspace }: Asked,
  slug: string,
  version: string,
): Promise<FastifyReply | undefined> {
  if (!isId.test(version)) return undefined
  const employeeId = await findShownPerson(db, workspace.id, slug)
  const picture = employeeId && (await openPicture(db, { workspaceId: workspace.id, employeeId, version }))
  if (!picture) return undefined
  const { mediaType, size, content } = picture
  return reply
    .headers({ ...headers, 'content-type': mediaType, 'content-length': String(size) })
    .send(Readable.from(content, { highWaterMark: 0 }))
}

const isId = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/
