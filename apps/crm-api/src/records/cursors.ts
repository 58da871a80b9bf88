import { ApiError } from '@crm/errors'

/** Returns the cursor that continues after the row with this id. */
export function writeCursor(id: string): string {
  return Buffer.from(id).toString('base64url')
}

/** Returns the page of a list by cursor. One row more than the limit is read, which tells whether there are more. */
export function cursorPage<Row, Item extends { readonly id: string }>(
  rows: readonly Row[],
  limit: number,
  toItem: (row: Row) => Item,
  isCutShort = false,
) {
  const items = rows.slice(0, limit).map(toItem)
  const hasMore = isCutShort || rows.length > limit
  return { items, hasMore, nextCursor: hasMore ? writeCursor(items.at(-1)?.id ?? '') : null }
}

/** Reads a cursor that this API wrote; anything else is INVALID_QUERY_PARAM. */
export function readCursor(cursor: string): string {
  const id = Buffer.from(cursor, 'base64url').toString()
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) return id
  throw new ApiError('INVALID_QUERY_PARAM', {
    details: { param: 'cursor', message: 'Expected the nextCursor of an earlier answer' },
  })
}
