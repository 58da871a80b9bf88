import type { Leave, RecordChange } from '@crm/contract'
import { isMembers, metaMember, type Members, type Question } from './protocol.ts'

/** What a call of the revision without handshake says about questions to its person. */
export interface Elicitation {
  /** Whether its client can ask. */
  readonly canAsk: boolean
  /** The text that came with the question; undefined for a call that nobody was asked about. */
  readonly state?: string | undefined
  /** What the person did; undefined where the client does not say. */
  readonly action?: string | undefined
}

/** The member of `_meta` with what a client can do (revision 2026-07-28). */
export const capabilitiesMember = 'io.modelcontextprotocol/clientCapabilities'

/** Our name for the only question of a call. */
const question = 'confirm'

/** Reads what the parameters of a call say about questions. */
export function readElicitation(params: Members): Elicitation {
  const { [metaMember]: meta, requestState, inputResponses } = params
  const capabilities = isMembers(meta) ? meta[capabilitiesMember] : undefined
  const answer = isMembers(inputResponses) ? inputResponses[question] : undefined
  const action = isMembers(answer) ? answer['action'] : undefined
  return {
    canAsk: isMembers(capabilities) && isMembers(capabilities['elicitation']),
    state: typeof requestState === 'string' ? requestState : undefined,
    action: typeof action === 'string' ? action : undefined,
  }
}

/** What a preview says of a call. */
export interface Previewed {
  readonly changes: readonly RecordChange[]
  readonly more?: number
  readonly hidden?: number
  readonly leaves: readonly Leave[]
}

/** Returns the question whether a call may be made. */
export function questionAbout(title: string, previewed: Previewed | null, requestState: string): Question {
  const message = [`${title}?`, ...(previewed ? linesOf(previewed) : ['What it would do cannot be seen beforehand.'])]
  const params = {
    mode: 'form',
    message: message.join('\n'),
    requestedSchema: { type: 'object', properties: {} },
  }
  return {
    resultType: 'input_required',
    inputRequests: { [question]: { method: 'elicitation/create', params } },
    requestState,
  }
}

/** The changes that a question lists; of many, the person decides by their number. */
const linesMax = 10

const verbs = { CREATE: 'New', UPDATE: 'Changed', DELETE: 'Deleted' } as const

function linesOf({ changes, more = 0, hidden = 0, leaves }: Previewed): readonly string[] {
  const beyond = Math.max(0, changes.length - linesMax) + more
  const mails = leaves.filter(({ kind }) => kind === 'MAIL').length
  return [
    ...changes.slice(0, linesMax).map(lineOf),
    ...counted(beyond, 'more record', 'more records'),
    ...counted(hidden, 'record that you may not see', 'records that you may not see'),
    ...counted(mails, 'mail is sent', 'mails are sent'),
  ]
}

function lineOf({ kind, entityType, title }: RecordChange): string {
  const noun = entityType.replaceAll('_', ' ').toLowerCase()
  return `${verbs[kind]}: ${noun}${title === null ? '' : ` “${title}”`}`
}

function counted(count: number, one: string, many: string): readonly string[] {
  return count === 0 ? [] : [`${count} ${count === 1 ? one : many}`]
}
