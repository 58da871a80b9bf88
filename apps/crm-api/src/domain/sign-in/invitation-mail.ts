import { newId, schema, type Transaction } from '@crm/db'
import { digest, newSecret, readWorkspace } from '@crm/identity'
import type { JobReference } from '@crm/jobs'
import { refusalsInWords, writeAccountMail } from '@crm/mail'
import { within } from '@crm/runtime'
import { sql } from 'drizzle-orm'
import type { CrmContext } from '../../platform/context.ts'
import { tell } from '../../records/notices.ts'
import { post, type MailKind, type MailKinds } from '../mail/post.ts'
import { lockInvitation, setInvitation, type Invitation } from './invitations.repository.ts'
import { readPerson } from './people.repository.ts'

/** The event that asks for the mail of an invitation. */
export const invitationMailEvent = 'invitation.mail'

interface InvitationMail {
  readonly invitationId: string
  /** The digest of the token that the invitation had when the mail was queued; one that was sent again has another. */
  readonly tokenHash: string
}

/** How long the answer to an invitation waits for the mail server. */
const answerMs = 10_000

const textOf = (hash: Buffer): string => hash.toString('base64url')

/**
 * The mail of an invitation. Its token is made for each attempt, so that no plain token is stored; nobody has the token of an attempt
 * that did not arrive.
 */
export const invitationMail: MailKind = {
  write: async ({ row, tx, deps, at }, kept) => {
    const asked = row.payload as unknown as InvitationMail
    const workspace = await readWorkspace(deps.pool, row.workspaceId)
    if (!workspace) return undefined
    const invitation = await lockInvitation(tx, { workspace, at }, asked.invitationId)
    if (invitation?.status !== 'PENDING') return undefined
    if (textOf(invitation.tokenHash) !== (kept?.['tokenHash'] ?? asked.tokenHash)) return undefined
    const inviter = await readPerson(tx, row.workspaceId, invitation.invitedById)
    const token = newSecret()
    await setInvitation(tx, { workspace }, invitation.id, { tokenHash: digest(token) })
    const { actor } = row.payload as { readonly actor?: { readonly name: string } }
    return {
      kept: { tokenHash: textOf(digest(token)) },
      usefulUntil: invitation.expiresAt,
      message: writeAccountMail({
        kind: 'invitation',
        to: { address: invitation.email },
        reader: { locale: inviter?.locale ?? null },
        workspace,
        person: actor?.name ?? workspace.name,
        link: { url: `${workspace.baseUrl}/invite#${token}`, expiresAt: invitation.expiresAt },
      }),
    }
  },
  settle: async ({ row, tx, at }, { outcome, isFinal }) => {
    const { workspaceId, payload } = row
    const { invitationId } = payload as unknown as InvitationMail
    const workspace = { id: workspaceId }
    if (outcome.sent.length > 0) return setInvitation(tx, { workspace }, invitationId, { emailSent: true })
    if (!isFinal) return
    const invitation = await lockInvitation(tx, { workspace, at }, invitationId)
    if (!invitation) return
    const said =
      outcome.unknown.length > 0
        ? `It is not known whether the invitation to ${invitation.email} was taken by the mail server`
        : `The invitation to ${refusalsInWords(outcome.refused)} could not be sent`
    const told = {
      employeeId: invitation.invitedById,
      kind: 'mail.failed',
      text: said,
      data: { name: invitation.email },
    } as const
    await tell(tx, { workspaceId, at }, [told])
  },
}

const kinds: MailKinds = { [invitationMailEvent]: invitationMail }

/** Queues the mail of an invitation. The request sends it itself; a worker does it where the request was lost. */
export async function queueInvitationMail(
  tx: Transaction,
  { workspace, actor, at }: CrmContext,
  { id: invitationId, tokenHash }: Invitation,
): Promise<JobReference> {
  const reference = { workspaceId: workspace.id, id: newId(), epoch: 0 }
  await tx.insert(schema.outbox).values({
    workspaceId: workspace.id,
    id: reference.id,
    topic: 'mail',
    event: invitationMailEvent,
    payload: { invitationId, tokenHash: textOf(tokenHash), actor, at },
    relayedAt: sql`now()`,
  })
  return reference
}

/** Sends the mail of an invitation and returns whether it was handed to the mail server; a server that thinks longer is not waited for. */
export async function sendInvitation({ deps }: CrmContext, reference: JobReference): Promise<boolean> {
  const { mailer } = deps
  if (!mailer) return false
  let isHandedOver = false
  const sending = post({ ...deps, mailer }, kinds, reference, () => (isHandedOver = true))
  const outcome = await within(answerMs, sending, () => 'LATE' as const)
  return outcome === 'LATE' ? isHandedOver : (outcome?.sent.length ?? 0) > 0
}
