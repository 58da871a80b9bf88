import * as z from 'zod'
import { byId, id, instant, instantInput } from '../../fields.ts'
import { pagedList, usualPages } from '../../lists.ts'
import { settingsResource } from '../../resource.ts'
import { data } from '../../standard.ts'
import { timelineKinds } from '../comments.ts'
import { recordChange } from '../preview.ts'
import { via } from '../../via.ts'

/** The pause after which the next call of an agent begins a session of its own, in milliseconds. */
export const sessionPauseMs = 30 * 60_000

/** For how long after its last call a session can be undone, in milliseconds. */
export const sessionUndoableMs = 72 * 60 * 60_000

const agentSession = z.object({
  id,
  employeeId: id,
  employeeName: z.string(),
  via,
  startedAt: instant,
  lastAt: instant.meta({ description: 'Its last call; up to 5 seconds late' }),
  reads: z.int().meta({ description: 'Calls that changed nothing, writes that wait for a person among them' }),
  writes: z.int(),
  refusals: z.int(),
  records: z.int().meta({ description: 'How many records, files, choices of lists and settings it touched' }),
  undoableUntil: instant,
  undoJobId: id.nullable().meta({ description: 'The last work that undid it' }),
})
export type AgentSession = z.output<typeof agentSession>

const operation = z.object({
  id,
  at: instant,
  operation: z.string().optional().meta({ description: 'Its name, where no history of a record tells of it' }),
  changes: z.array(recordChange.extend({ told: z.enum(timelineKinds) })),
  hidden: z.int().optional().meta({ description: 'How many records it touched that you may not see' }),
})
export type SessionOperation = z.output<typeof operation>

/** What agents did, session by session: one's own keys and clients, and with MANAGE_API_KEYS those of people whom one reaches. */
export const agentSessions = settingsResource('settings.agentSessions', {
  list: {
    method: 'GET',
    path: '/api/settings/agent-sessions',
    summary:
      'List the sessions of agents, newest first: your own, or with MANAGE_API_KEYS those of people whom you reach',
    description:
      'A session is the calls of a key or a client with less than 30 minutes between them. Kept for 90 days.',
    access: 'credential',
    reach: 'none',
    ...pagedList(agentSession, usualPages, {
      viaId: id.optional(),
      from: instantInput.optional().meta({ description: 'Those with a call at or after this time' }),
      to: instantInput.optional().meta({ description: 'Those that began before this time' }),
    }),
  },
  get: {
    method: 'GET',
    path: '/api/settings/agent-sessions/{id}',
    summary: 'Read a session with its operations, newest first, as far as you may see their records',
    access: 'credential',
    reach: 'none',
    params: byId,
    query: z.object({ cursor: z.string().max(200).optional() }),
    reply: data(
      200,
      agentSession.extend({
        operations: z.array(operation),
        nextCursor: z.string().nullable(),
      }),
    ),
  },
  undo: {
    method: 'POST',
    path: '/api/settings/agent-sessions/{id}/undo',
    summary: 'Undo what an agent did in a session, newest first, by a job',
    description:
      'Within 72 hours, with your rights. Values that somebody changed afterwards stay and are named in the result of the job. dryRun: the job tells what would happen.',
    access: 'credential',
    reach: { takes: 'agent-session' },
    params: byId,
    body: z.strictObject({ dryRun: z.boolean().optional() }).optional(),
    reply: data(202, z.object({ jobId: id })),
    errors: ['ACCESS_DENIED', 'INVALID_TRANSITION'],
  },
})
