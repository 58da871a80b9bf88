import { agentLimitMax, writesModes } from '@crm/permissions'
import * as z from 'zod'
import { byId, id, instant, requiredText } from '../fields.ts'
import { pagedList, usualPages } from '../lists.ts'
import { resource, settingsResource } from '../resource.ts'
import { data } from '../standard.ts'
import { via } from '../via.ts'
import { changesOfRequest } from './preview.ts'

export const proposalStates = ['PENDING', 'APPROVED', 'REJECTED', 'EXPIRED', 'FAILED'] as const

/** The days for which a proposal waits. */
export const proposalDays = 7

/** The most proposals that are decided in one request. */
export const decidedMax = 100

const proposal = z.object({
  id,
  state: z.enum(proposalStates),
  operation: z.string(),
  ...changesOfRequest,
  code: z.string().nullable().meta({ description: 'Why it failed' }),
  comment: z.string().nullable().meta({ description: 'What the person said who decided' }),
  createdAt: instant,
  expiresAt: instant,
  decidedAt: instant.nullable(),
})

const shownProposal = proposal.extend({
  employeeId: id,
  employeeName: z.string(),
  via,
  entityType: z.string().nullable().meta({ description: 'With entityId: the record that it is about first of all' }),
  entityId: id.nullable(),
  decidedById: id.nullable(),
})
export type ShownProposal = z.output<typeof shownProposal>

const ofState = { state: z.enum(proposalStates).optional() }

/** The answer to a write that waits for a person's word (docs/guide/agents.md). */
export const proposedReply = data(
  202,
  z.object({
    proposalId: id,
    state: z.literal('PENDING'),
    ...changesOfRequest,
    expiresAt: instant,
  }),
)

export const proposals = resource({ name: 'proposals', entity: 'PROPOSAL' }, null, {
  list: {
    method: 'GET',
    path: '/api/proposals',
    summary: 'List your own proposals, newest first',
    access: 'credential',
    tool: false,
    toolReason:
      'Each write that waits names its proposal, and proposals_get reads it; the list of tools is long enough.',
    ...pagedList(proposal, usualPages, ofState),
  },
  get: {
    method: 'GET',
    path: '/api/proposals/{id}',
    summary: 'Read what became of a proposal',
    access: 'credential',
    params: byId,
    reply: data(200, proposal),
  },
})

const decision = z.strictObject({ comment: requiredText(1_000).optional() }).optional()

export const settingsProposals = settingsResource('settings.proposals', {
  list: {
    method: 'GET',
    path: '/api/settings/proposals',
    summary: 'List what agents have proposed: your own keys and clients, or those of people whom you reach',
    access: 'credential',
    reach: 'none',
    ...pagedList(shownProposal, usualPages, {
      ...ofState,
      viaId: id.optional(),
      entityId: id.optional().meta({ description: 'Those about this record' }),
    }),
  },
  approve: {
    method: 'POST',
    path: '/api/settings/proposals/{id}/approve',
    summary: 'Do what an agent has proposed, with the rights of its key or client',
    description:
      'The request is performed as it was sent, once. 409 VERSION_CONFLICT: somebody changed a record since; the proposal goes on waiting.',
    access: 'credential',
    reach: { actsAs: 'proposal' },
    params: byId,
    body: decision,
    reply: data(200, z.object({ proposal: shownProposal, status: z.int(), body: z.unknown() })),
    errors: ['PROPOSAL_CLOSED', 'ACCESS_DENIED', 'VERSION_CONFLICT'],
  },
  reject: {
    method: 'POST',
    path: '/api/settings/proposals/{id}/reject',
    summary: 'Refuse what an agent has proposed; it reads the comment',
    access: 'credential',
    reach: { actsAs: 'proposal' },
    params: byId,
    body: decision,
    reply: data(200, shownProposal),
    errors: ['PROPOSAL_CLOSED', 'ACCESS_DENIED'],
  },
  decide: {
    method: 'POST',
    path: '/api/settings/proposals/bulk',
    summary: 'Decide several proposals, each by itself, in their order',
    access: 'credential',
    reach: { actsAs: 'proposal' },
    body: z.strictObject({
      ids: z.array(id).min(1).max(decidedMax),
      decision: z.enum(['APPROVE', 'REJECT']),
      comment: requiredText(1_000).optional(),
    }),
    reply: {
      status: 200,
      body: z.object({ results: z.array(z.object({ id, status: z.int(), code: z.string().optional() })) }),
    },
    errors: ['ACCESS_DENIED'],
  },
})

const limit = z.int().min(0).max(agentLimitMax).nullable()

/** How a credential of an agent is held. */
export const controlShown = {
  writes: z.enum(writesModes).meta({
    description:
      'DIRECT: at once. PROPOSE: a person approves each write. PROPOSE_DESTRUCTIVE: only those that cannot be taken back',
  }),
  limits: z.object({ writesPerDay: limit, deletesPerDay: limit, recordsPerCall: limit }),
  confirm: z.boolean().meta({ description: 'Whether its client asks the person before each destructive call' }),
}

export const controlInput = {
  writes: z.enum(writesModes).optional(),
  limits: z
    .strictObject({ writesPerDay: limit.optional(), deletesPerDay: limit.optional(), recordsPerCall: limit.optional() })
    .optional()
    .meta({ description: 'null: none. A day begins at midnight in the time zone of the workspace' }),
  confirm: z.boolean().optional(),
}

/** What a credential has used of its day. */
export const usedShown = {
  used: z.object({ writes: z.int(), deletes: z.int(), resetsAt: instant }),
}
