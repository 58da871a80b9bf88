import { customRecords as customRecordsResource, type CustomRecordInput, type CustomRecordPatch } from '@crm/contract'
import type { Transaction } from '@crm/db'
import { ApiError, invalidField } from '@crm/errors'
import type { CustomEntity, CustomRecordRow } from '../../../records/custom-kinds.ts'
import { checkCustomFields, type CheckedValues } from '../../../records/custom-field-values.ts'
import { nextOwner, recallOwnedFacts } from '../../../records/owned/facts.ts'
import {
  changeOf,
  planOwned,
  planOwnedChange,
  unique,
  type Change,
  type OwnedFacts,
} from '../../../records/owned/plan.ts'
import { createRecord, type RecordWriter, type WriteContext } from '../../../records/owned/write.ts'
import { holdEntity } from './custom-entities.repository.ts'

/** Reads the facts for decisions about a record of a custom entity; its fields come from the type. */
async function recallFacts(
  tx: Transaction,
  context: WriteContext,
  { kind }: CustomEntity,
  ownerId: string,
): Promise<OwnedFacts> {
  return { ...(await recallOwnedFacts(tx, context, kind, ownerId)), customFields: [] }
}

/** Creates a record of a custom entity. */
export async function createCustomRecord(
  tx: Transaction,
  context: WriteContext,
  entity: CustomEntity,
  input: CustomRecordInput,
): Promise<CustomRecordRow> {
  if (!(await holdEntity(tx, context.workspace.id, entity.id)))
    throw new ApiError('NOT_FOUND', { message: 'There is no such custom entity' })
  const facts = await recallFacts(tx, context, entity, nextOwner(context, input))
  return createRecord(tx, context, entity.kind, { ...planCustomRecord(entity, input, facts), entityKey: entity.key })
}

/** Returns the rules by which the records of a custom entity change. */
export function customRecordWriter(entity: CustomEntity): RecordWriter<CustomRecordRow, CustomRecordPatch> {
  return {
    kind: entity.kind,
    listQuery: customRecordsResource.operations.list.query,
    planChange: async (tx, context, current, patch) => {
      const facts = await recallFacts(tx, context, entity, nextOwner(context, patch, current))
      return planCustomRecordChange(entity, current, patch, facts)
    },
  }
}

type Ownership = Pick<CustomEntity, 'hasOwner'>
type Shape = Ownership & Pick<CustomEntity, 'fields'>

/** Returns the row of a new record without its type, or refuses it. */
function planCustomRecord(entity: Shape, { values, ...input }: CustomRecordInput, facts: OwnedFacts) {
  refuseOwner(entity, input)
  const customFields = valuesOf(checkCustomFields(entity.fields, values, null, 'values'))
  const owned = entity.hasOwner
    ? planOwned(input, facts)
    : { ownerId: null, departmentId: null, tags: unique(input.tags ?? []) }
  return { title: input.title, ...owned, customFields }
}

/** Returns the columns that a PATCH changes and their differences, or refuses the PATCH. */
function planCustomRecordChange(
  entity: Shape,
  current: CustomRecordRow,
  { values, ...patch }: CustomRecordPatch,
  facts: OwnedFacts,
): Change {
  refuseOwner(entity, patch)
  const set = planOwnedChange(current, patch, facts)
  if (values === undefined) return changeOf(current, set)
  const customFields = valuesOf(checkCustomFields(entity.fields, values, current.values, 'values'))
  return { set: { ...set, customFields }, changes: changeOf(current, { ...set, values: customFields }).changes }
}

function refuseOwner({ hasOwner }: Ownership, { ownerId }: { readonly ownerId?: string | null }): void {
  if (!hasOwner && ownerId) throw invalidField('ownerId', 'Records of this type have no owner')
}

function valuesOf({ values, issues }: CheckedValues): Record<string, unknown> {
  if (issues.length > 0) throw new ApiError('VALIDATION_ERROR', { issues })
  return values
}
