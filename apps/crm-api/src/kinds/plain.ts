import { success } from '@crm/contract'
import type { z } from 'zod'
import type { CrmContext } from '../platform/context.ts'
import { nextOwner, recallOwnedFacts } from '../records/owned/facts.ts'
import { readHandlers, writeHandlers } from '../records/owned/handlers.ts'
import type { OwnedRow, RecordKind } from '../records/owned/kind.ts'
import { changeOf, definedOnly, planOwned, planOwnedChange, type OwnedInput } from '../records/owned/plan.ts'
import { requireReferences } from './references.ts'
import { createRecord, type RecordWriter } from '../records/owned/write.ts'

type PlainPatch = OwnedInput & { readonly version?: number }

/** Returns the writer for records whose fields are stored as they are sent. */
export function plainWriter<Row extends OwnedRow>(
  kind: RecordKind<Row>,
  listQuery: z.ZodObject,
): RecordWriter<Row, PlainPatch> {
  return {
    kind,
    listQuery,
    planChange: async (tx, context, current, patch) => {
      const facts = await recallOwnedFacts(tx, context, kind, nextOwner(context, patch, current))
      await requireReferences(tx, context, kind.entityType, definedOnly(patch), current)
      return changeOf(current, planOwnedChange(current, patch, facts))
    },
  }
}

/** Returns the handlers of the usual five operations of such records; spread them to replace one. */
export function plainHandlers<Row extends OwnedRow>(writer: RecordWriter<Row, PlainPatch>) {
  const { kind } = writer
  return {
    ...readHandlers(kind),
    ...writeHandlers(writer),
    create: async ({ body }: { readonly body: OwnedInput }, context: CrmContext) =>
      success(
        await context.transact(async (tx) => {
          const facts = await recallOwnedFacts(tx, context, kind, nextOwner(context, body))
          await requireReferences(tx, context, kind.entityType, body)
          return createRecord(tx, context, kind, { ...body, ...planOwned(body, facts) })
        }),
      ),
  }
}
