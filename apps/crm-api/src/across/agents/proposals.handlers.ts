import { proposals, settingsProposals, success, type RecordChange } from '@crm/contract'
import { isAnyOf, schema, type Executor } from '@crm/db'
import { ApiError, toApiAnswer } from '@crm/errors'
import { fullName } from '@crm/identity'
import { and, count, desc, eq, type SQL } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { peopleInReach } from '../../domain/agents/people-in-reach.ts'
import {
  decideProposal,
  findProposal,
  inState,
  stateAt,
  type ProposalRow,
} from '../../domain/agents/proposals.repository.ts'
import { implement, type CrmContext } from '../../platform/context.ts'
import { audit } from '../../records/audit.ts'
import { offsetOf, pageOf } from '../../records/pages.ts'
import { approve } from './approve.ts'
import { optional } from './propose.ts'

const { employees, proposals: table } = schema

interface Filter {
  readonly state?: ProposalRow['state'] | undefined
  readonly viaId?: string | undefined
  readonly entityId?: string | undefined
}

interface Page {
  readonly page: number
  readonly pageSize: number
}

/** What the credential of a request has proposed itself. */
export const implementedProposals = implement(proposals, {
  list: async ({ query }, context) => {
    const found = await list(context, isOwn(context), query)
    return pageOf({ ...found, items: found.items.map((row) => shown(row, context.at)) }, query)
  },

  get: async ({ params }, context) => {
    const [row] = await context.db
      .select()
      .from(table)
      .where(and(isOwn(context), eq(table.id, params.id)))
    if (!row) throw notFound()
    return success(shown(row, context.at))
  },
})

/** Returns the handlers for the people who decide; the service performs what they approve. */
export function implementSettingsProposals(app: FastifyInstance) {
  return implement(settingsProposals, {
    list: async ({ query }, context) => {
      const people = await peopleInReach(context, await peopleWithProposals(context))
      const found = await list(context, isAnyOf(table.employeeId, people), query)
      const nameOf = await namesOf(context.db, context, found.items)
      return pageOf({ ...found, items: found.items.map((row) => withPerson(row, context.at, nameOf)) }, query)
    },

    approve: async ({ params, body }, context) => {
      const performed = await approve(app, context, params.id, body?.comment)
      const nameOf = await namesOf(context.db, context, [performed.proposal])
      const { status, body: answer } = performed
      return success({ proposal: withPerson(performed.proposal, context.at, nameOf), status, body: answer })
    },

    reject: async ({ params, body }, context) => {
      const row = await reject(context, params.id, body?.comment)
      return success(withPerson(row, context.at, await namesOf(context.db, context, [row])))
    },

    decide: async ({ body: { ids, decision, comment } }, context) => {
      const results: { id: string; status: number; code?: string }[] = []
      for (const id of new Set(ids)) results.push({ id, ...(await decideOne(app, context, id, decision, comment)) })
      return { results }
    },
  })
}

async function decideOne(
  app: FastifyInstance,
  context: CrmContext,
  id: string,
  decision: 'APPROVE' | 'REJECT',
  comment: string | undefined,
): Promise<{ readonly status: number; readonly code?: string }> {
  try {
    if (decision === 'REJECT') await reject(context, id, comment)
    const performed = decision === 'APPROVE' ? await approve(app, context, id, comment) : undefined
    const { code } = performed?.proposal ?? { code: null }
    return { status: performed?.status ?? 200, ...(code === null ? {} : { code }) }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { status } = toApiAnswer(error, context.requestId ?? '')
    return { status, code: error.code }
  }
}

function reject(context: CrmContext, id: string, comment: string | undefined): Promise<ProposalRow> {
  const { workspace, caller, at } = context
  return context.transact(async (tx) => {
    const row = await findProposal(tx, workspace.id, id, { isLocked: true })
    if (!row) throw notFound()
    if (stateAt(row, at) !== 'PENDING') throw new ApiError('PROPOSAL_CLOSED')
    const decision = {
      state: 'REJECTED',
      code: null,
      comment: comment ?? null,
      decidedById: caller.employee.id,
    } as const
    await audit(tx, context, {
      action: 'proposal.rejected',
      subjectType: 'PROPOSAL',
      subjectId: id,
      summary: `Rejected a change by ${row.viaName}`,
      data: { operation: row.operation },
    })
    return decideProposal(tx, row, decision, at)
  })
}

async function list(
  { db, workspace, at }: CrmContext,
  ofWhom: SQL,
  { state, viaId, entityId, ...page }: Filter & Page,
): Promise<{ readonly items: readonly ProposalRow[]; readonly total: number }> {
  const where = and(
    eq(table.workspaceId, workspace.id),
    ofWhom,
    state && inState(state, at),
    viaId === undefined ? undefined : eq(table.viaId, viaId),
    entityId === undefined ? undefined : eq(table.entityId, entityId),
  )
  const [total] = await db.select({ n: count() }).from(table).where(where)
  const items = await db
    .select()
    .from(table)
    .where(where)
    .orderBy(desc(table.id))
    .limit(page.pageSize)
    .offset(offsetOf(page))
  return { items, total: total?.n ?? 0 }
}

/** A connection is one for all consents to the same client. */
function isOwn({ workspace, caller }: CrmContext): SQL {
  const { credential, employee, via } = caller
  const isOfCredential =
    via.type === 'OAUTH_CLIENT' && via.id !== null ? eq(table.viaId, via.id) : eq(table.credentialId, credential.id)
  return and(eq(table.workspaceId, workspace.id), eq(table.employeeId, employee.id), isOfCredential) as SQL
}

/** Returns the people whose agents have proposed something. */
async function peopleWithProposals({ db, workspace }: CrmContext): Promise<readonly string[]> {
  const rows = await db.selectDistinct({ id: table.employeeId }).from(table).where(eq(table.workspaceId, workspace.id))
  return rows.map(({ id }) => id)
}

type NameOf = (employeeId: string) => string

async function namesOf(
  db: Executor,
  { workspace }: Pick<CrmContext, 'workspace'>,
  rows: readonly ProposalRow[],
): Promise<NameOf> {
  const ids = [...new Set(rows.map(({ employeeId }) => employeeId))]
  const people = await db
    .select({
      id: employees.id,
      firstName: employees.firstName,
      lastName: employees.lastName,
      email: employees.email,
    })
    .from(employees)
    .where(and(eq(employees.workspaceId, workspace.id), isAnyOf(employees.id, ids)))
  const known = new Map(people.map((person) => [person.id, fullName(person)]))
  return (employeeId) => known.get(employeeId) ?? ''
}

function shown(row: ProposalRow, at: string) {
  const { id, operation, code, comment, createdAt, expiresAt, decidedAt } = row
  return {
    id,
    state: stateAt(row, at),
    operation,
    changes: row.changes as unknown as RecordChange[],
    ...optional(row),
    code,
    comment,
    createdAt,
    expiresAt,
    decidedAt,
  }
}

function withPerson(row: ProposalRow, at: string, nameOf: NameOf) {
  const { employeeId, viaType, viaId, viaName, entityType, entityId, decidedById } = row
  const via = { type: viaType, id: viaId, name: viaName }
  return { ...shown(row, at), employeeId, employeeName: nameOf(employeeId), via, entityType, entityId, decidedById }
}

function notFound(): ApiError {
  return new ApiError('NOT_FOUND', { message: 'There is no such proposal' })
}
