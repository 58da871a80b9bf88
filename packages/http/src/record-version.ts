import { showsVersion, StatusReply, takesIfMatch } from '@crm/contract'
import { ApiError } from '@crm/errors'
import type { Exchange } from './exchange.ts'

/** Sets the `ETag` of an answer with one record, whatever shape the record gets. */
export function noteVersion({ declared, reply }: Exchange, resultOf: () => unknown): void {
  if (!showsVersion(declared)) return
  const result = resultOf()
  const { data } = (result instanceof StatusReply ? result.body : result) as { readonly data?: object }
  if (data && 'version' in data && typeof data.version === 'number') void reply.header('etag', tagOf(data.version))
}

function tagOf(version: number): string {
  return `"${version}"`
}

/**
 * Returns the check of a request for the present version of the record that it changes: it refuses a version that `If-Match` does not name
 * (RFC 9110 13.1.1). The record must be locked.
 */
export function versionCheckOf({
  declared,
  request,
}: Pick<Exchange, 'declared' | 'request'>): (version: number) => void {
  const sent = request.headers['if-match']
  if (sent === undefined || !takesIfMatch(declared)) return () => undefined
  return (version) => {
    if (!names(sent, tagOf(version)))
      throw new ApiError('PRECONDITION_FAILED', {
        message: `The record is in version ${version}, which If-Match does not name as ${tagOf(version)}`,
        details: { version },
      })
  }
}

/** Entity tags may have commas within their quotes. */
const entityTags = /"[^"]*"/g

/**
 * A weak tag counts as the strong one: a proxy that compresses an answer weakens the tag of the record in it, and clients send back what they
 * got. The version of a record is the same in each coding of its answer.
 */
function names(sent: string, tag: string): boolean {
  return sent.trim() === '*' || [...sent.matchAll(entityTags)].some(([one]) => one === tag)
}
