import { ApiError } from '@crm/errors'

/** Makes the cursor that goes on after the row with this id. */
export function writeCursor(id: string): string {
  return Buffer.from(id).toString('base64url')
}

/** Reads a cursor of ours; anything else is INVALID_QUERY_PARAM. */
export function readCursor(cursor: string): string {
  const id = Buffer.from(cursor, 'base64url').toString()
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) return id
  throw new ApiError('INVALID_QUERY_PARAM', { details: { param: 'cursor', message: 'Expected the nextCursor of an earlier answer' } })
}
