import { projects as projectsResource, type ProjectInput, type ProjectPatch } from '@crm/contract'
import type { Executor, Transaction } from '@crm/db'
import { requireCurrency } from '../../../records/currencies.ts'
import { nextOwner, recallOwnedFacts } from '../../../records/owned/facts.ts'
import { definedOnly } from '../../../records/owned/plan.ts'
import { drawNumber } from '../../../records/owned/repository.ts'
import { createRecord, type RecordWriter, type WriteContext } from '../../../records/owned/write.ts'
import { requireReferences } from '../../../kinds/references.ts'
import { planProject, planProjectChange, type ProjectFacts } from './projects.intake.ts'
import { projectKind, type ProjectRow } from '../../../kinds/projects.ts'

async function recallProjectFacts(db: Executor, context: WriteContext, ownerId: string): Promise<ProjectFacts> {
  return { ...(await recallOwnedFacts(db, context, projectKind, ownerId)), currency: context.workspace.currency }
}

/** Refuses references of a project that do not exist or that the caller may not see; present references may stay. */
async function requireProjectReferences(
  db: Executor,
  context: WriteContext,
  sent: ProjectPatch,
  current?: ProjectRow,
): Promise<void> {
  if (sent.currency !== current?.currency) await requireCurrency(db, context, sent.currency)
  await requireReferences(db, context, projectKind.entityType, sent, current)
}

/** Creates a project with the next number. */
export async function createProject(tx: Transaction, context: WriteContext, input: ProjectInput): Promise<ProjectRow> {
  const facts = await recallProjectFacts(tx, context, nextOwner(context, input))
  await requireProjectReferences(tx, context, input)
  const values = planProject(input, facts)
  const number = await drawNumber(tx, context.workspace.id, projectKind.entityType)
  return createRecord(tx, context, projectKind, { ...values, number })
}

/** The rules by which projects change. */
export const projectWriter: RecordWriter<ProjectRow, ProjectPatch> = {
  kind: projectKind,
  listQuery: projectsResource.operations.list.query,
  planChange: async (tx, context, current, patch) => {
    const facts = await recallProjectFacts(tx, context, nextOwner(context, patch, current))
    await requireProjectReferences(tx, context, definedOnly(patch), current)
    return planProjectChange(current, patch, facts)
  },
}
