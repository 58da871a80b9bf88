import { plainResource, type Implemented, type plainResources } from '@crm/contract'
import { plainKinds, tableOfPlainKinds, type PlainKind } from '@crm/model'
import { plainRecordKind } from '../kinds/plain-kinds.ts'
import { createPlain, plainHandlers, plainWriter } from '../kinds/plain.ts'
import { implement, type CrmContext } from '../platform/context.ts'
import { summaryHandler } from './summaries/summary.handlers.ts'

/** The resource of a kind of which nothing is special, and the rules by which its records are made and changed. */
export function plainRecordsOf(kind: PlainKind) {
  const [recordKind, resource] = [plainRecordKind(kind), plainResource(kind)]
  return {
    kind: recordKind,
    resource,
    writer: plainWriter(recordKind, resource.operations.list.query),
    create: (tx: Parameters<typeof createPlain>[0], context: Parameters<typeof createPlain>[1], input: object) =>
      createPlain(tx, context, recordKind, input),
  }
}

/** The same for every such kind. */
export const plainRecords = Object.values<PlainKind>(plainKinds).map(plainRecordsOf)

/** Every operation on such records with its handler, by resource. */
export const implementedPlainResources = tableOfPlainKinds<{
  readonly [Name in keyof typeof plainResources]: Implemented<(typeof plainResources)[Name], CrmContext>
}>((declared) => {
  const { kind, resource, writer } = plainRecordsOf(declared)
  // Rows have no index signature, which records of an unknown kind have.
  const handlers = { ...plainHandlers(writer), ...summaryHandler(kind) } as never
  return [resource.name, implement(resource, handlers)]
})
