import { invalidQueryParam } from '@crm/errors'

/** The parameters of a query as they were sent. */
export type SentQuery = Readonly<Record<string, string | string[]>>

/** The object of custom-field filters in the document; `cf[cf_region]` is its member in the form `deepObject`. */
const asMember = /^cf\[(cf_[^[\]]+)\]$/
const asWhole = /^cf(?:$|[[.])/

/**
 * Returns a query in which each custom-field filter has its plain name: clients made from the document send `cf[cf_region]=north` for
 * `cf_region=north`. Throws INVALID_QUERY_PARAM for any other form of `cf`, because a filter that is passed over returns every record.
 */
export function withPlainNames(sent: SentQuery): SentQuery {
  if (!Object.keys(sent).some((name) => asWhole.test(name))) return sent
  const plain = new Map<string, string | string[]>()
  for (const [name, value] of Object.entries(sent)) {
    const key = asWhole.test(name) ? memberOf(name) : name
    const known = plain.get(key)
    plain.set(key, known === undefined ? value : [known, value].flat())
  }
  return Object.fromEntries(plain)
}

function memberOf(name: string): string {
  const member = asMember.exec(name)?.[1]
  if (member === undefined)
    throw invalidQueryParam(
      name,
      'A filter by a custom field is a parameter of its own, such as cf_region=north, or cf[cf_region]=north',
    )
  return member
}
