import { success } from '@crm/contract'
import type { Transaction } from '@crm/db'
import { kindOf } from '@crm/model'
import type { z } from 'zod'
import type { CrmContext } from '../platform/context.ts'
import { nextOwner, recallOwnedFacts } from '../records/owned/facts.ts'
import { readHandlers, writeHandlers } from '../records/owned/handlers.ts'
import type { OwnedRow, RecordKind } from '../records/owned/kind.ts'
import { changeOf, definedOnly, planOwned, planOwnedChange, type OwnedInput } from '../records/owned/plan.ts'
import { requireReferences } from './references.ts'
import { createRecord, type RecordWriter, type WriteContext } from '../records/owned/write.ts'

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
      success(await context.transact((tx) => createPlain(tx, context, kind, body))),
  }
}

/** Creates a record whose fields are stored as they are sent; the model's defaults stand for those that are not. */
export async function createPlain<Row extends OwnedRow>(
  tx: Transaction,
  context: WriteContext,
  kind: RecordKind<Row>,
  input: OwnedInput,
): Promise<Row> {
  const facts = await recallOwnedFacts(tx, context, kind, nextOwner(context, input))
  await requireReferences(tx, context, kind.entityType, input)
  const { defaults } = kindOf(kind.entityType) ?? {}
  return createRecord(tx, context, kind, { ...defaults, ...input, ...planOwned(input, facts) })
}
