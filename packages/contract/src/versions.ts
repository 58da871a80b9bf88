import * as z from 'zod'
import type { DeclaredOperation, Resource } from './operation.ts'

type Place = Pick<DeclaredOperation, 'resource' | 'operation'>

/** Whether the records of a resource have a version that a change may name. */
function isVersioned({ operations: { update } }: Resource): boolean {
  return update?.body instanceof z.ZodObject && 'version' in update.body.shape
}

/** Whether an operation answers with one record and its version, which is also its `ETag` (docs/guide/requests.md). */
export function showsVersion({ resource, operation: { reply } }: Place): boolean {
  const record = reply.body instanceof z.ZodObject ? reply.body.shape['data'] : undefined
  return isVersioned(resource) && recordsIn(record).some((one) => 'version' in one.shape)
}

function recordsIn(schema: unknown): readonly z.ZodObject[] {
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(recordsIn)
  return schema instanceof z.ZodObject ? [schema] : []
}

/** Whether an operation changes or uses one record with a version, so that a caller may name the expected version in `If-Match`. */
export function takesIfMatch({ resource, operation: { method, path } }: Place): boolean {
  const one = resource.operations['get']?.path
  return method !== 'GET' && isVersioned(resource) && one !== undefined && (path === one || path.startsWith(`${one}/`))
}
