import { companies as companiesResource, type CompanyInput, type CompanyPatch } from '@crm/contract'
import type { Transaction } from '@crm/db'
import { ApiError } from '@crm/errors'
import { nextOwner, recallOwnedFacts, requireVisible } from '../../../records/owned/facts.ts'
import { changeOf, normalizedPhone, planOwned, planOwnedChange } from '../../../records/owned/plan.ts'
import type { Origin } from '../../../records/owned/trace.ts'
import { createRecord, type RecordWriter, type WriteContext } from '../../../records/owned/write.ts'
import { isWithin, lockTree } from '../../../records/trees.ts'
import { companyKind, type CompanyRow } from '../../../kinds/companies.ts'
import { companyTree, requireIndustry } from './companies.repository.ts'

/** Creates a company; `origin` is the record from which it was made. */
export async function createCompany(
  tx: Transaction,
  context: WriteContext,
  input: CompanyInput,
  origin?: Origin,
): Promise<CompanyRow> {
  const facts = await recallOwnedFacts(tx, context, companyKind, nextOwner(context, input))
  const values = { ...input, ...planOwned(input, facts), phone: normalizedPhone(input.phone) }
  await requireIndustry(tx, context.workspace.id, input.industryId)
  await requireVisible(tx, context, companyKind, input.parentId, 'parentId')
  return createRecord(tx, context, companyKind, values, undefined, origin)
}

/** The rules by which companies change. */
export const companyWriter: RecordWriter<CompanyRow, CompanyPatch> = {
  kind: companyKind,
  listQuery: companiesResource.operations.list.query,
  planChange: async (tx, context, current, patch) => {
    const facts = await recallOwnedFacts(tx, context, companyKind, nextOwner(context, patch, current))
    const { phone, ...fields } = patch
    const set = {
      ...planOwnedChange(current, fields, facts),
      ...(phone === undefined ? {} : { phone: normalizedPhone(phone) }),
    }
    if (patch.industryId !== current.industryId) await requireIndustry(tx, context.workspace.id, patch.industryId)
    if (patch.parentId !== current.parentId) await requireParent(tx, context, current.id, patch.parentId)
    return changeOf(current, set)
  },
}

/** Refuses a parent that does not exist, and a parent below the company itself. */
async function requireParent(
  tx: Transaction,
  context: WriteContext,
  id: string,
  parentId: string | null | undefined,
): Promise<void> {
  if (!parentId) return
  await requireVisible(tx, context, companyKind, parentId, 'parentId')
  await lockTree(tx, companyTree, context.workspace.id)
  if (await isWithin(tx, companyTree, context.workspace.id, parentId, [id]))
    throw new ApiError('PARENT_CYCLE', { message: 'A company cannot belong to itself or to one below it' })
}
