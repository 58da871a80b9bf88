import { schema } from '@crm/db'
import { digest, fullName, newSecret, readWorkspace, type Workspace } from '@crm/identity'
import { writeAccountMail } from '@crm/mail'
import { and, count, eq, gt, isNull } from 'drizzle-orm'
import type { AccountMail, ResetMail } from '../domain/sign-in/account-mails.ts'
import { findPerson, lockPerson, readPerson, type Person } from '../domain/sign-in/people.repository.ts'
import { nobody } from '../platform/context.ts'
import { audit } from '../records/audit.ts'
import type { MailJob, MailKind } from '../domain/mail/post.ts'

const { passwordResets } = schema

const hourMs = 3_600_000
const resetLifeMs = 30 * 60_000
const resetMailsAnHour = 3
/** A link to choose a new password comes too late to help after that. */
const resetUsefulMs = 4 * hourMs

/** Tells somebody that something happened to their account. */
export const accountMail: MailKind = {
  write: async ({ row, tx, deps }) => {
    const { kind, employeeId, address, name, event } = row.payload as unknown as AccountMail
    const workspace = await readWorkspace(deps.pool, row.workspaceId)
    const person = await readPerson(tx, row.workspaceId, employeeId)
    if (!workspace || !person || person.kind === 'SERVICE') return undefined
    const to = mailboxOf(person, address)
    return { message: writeAccountMail({ kind, to, reader: person, workspace, name, event }) }
  },
}

/**
 * A link to choose a new password. Nothing is mailed for an address without an active account, and no more than three links
 * an hour that somebody asked for. Each attempt has a token of its own, in place of that of the one which did not arrive.
 */
export const resetMail: MailKind = {
  write: async (job, kept) => {
    const { row, tx, deps, at } = job
    const { email, employeeId, sentById } = row.payload as unknown as ResetMail
    const workspace = await readWorkspace(deps.pool, row.workspaceId)
    const found = await (employeeId === undefined
      ? findPerson(tx, row.workspaceId, email ?? '')
      : readPerson(tx, row.workspaceId, employeeId))
    // The link goes to the address of this moment: one that changes meanwhile has ended the links of before.
    const person = found && (await lockPerson(tx, found))
    if (!workspace || person?.status !== 'ACTIVE' || person.kind === 'SERVICE') return undefined
    const earlier = kept?.['tokenHash']
    if (earlier !== undefined) await dropLink(tx, row.workspaceId, earlier)
    else if (sentById === null && (await countAsked({ tx, at }, person)) >= resetMailsAnHour) return undefined
    const token = newSecret()
    const expiresAt = new Date(Date.parse(at) + resetLifeMs).toISOString()
    await tx.insert(passwordResets).values({
      workspaceId: row.workspaceId,
      tokenHash: digest(token),
      employeeId: person.id,
      sentById,
      createdAt: at,
      expiresAt,
    })
    if (earlier === undefined) await auditReset(job, workspace, person)
    return {
      message: linkMail(workspace, person, { token, expiresAt }),
      kept: { tokenHash: digest(token).toString('base64url') },
      usefulUntil: new Date(Date.parse(row.createdAt) + resetUsefulMs).toISOString(),
    }
  },
}

/** Ends the link of an attempt that did not arrive, unless somebody used it after all. */
async function dropLink(tx: MailJob['tx'], workspaceId: string, tokenHash: string): Promise<void> {
  const hash = Buffer.from(tokenHash, 'base64url')
  await tx
    .delete(passwordResets)
    .where(and(eq(passwordResets.workspaceId, workspaceId), eq(passwordResets.tokenHash, hash)))
}

async function auditReset({ row, tx, at }: MailJob, workspace: Workspace, person: Person): Promise<void> {
  const { sentById, event } = row.payload as unknown as ResetMail
  const sender = sentById === null ? undefined : await readPerson(tx, row.workspaceId, sentById)
  await audit(
    tx,
    {
      workspace,
      at,
      caller: nobody,
      requestId: null,
      address: () => event.address ?? '',
      requestHeaders: { 'user-agent': event.userAgent ?? undefined },
      actor: sender
        ? { type: 'EMPLOYEE', id: sender.id, name: fullName(sender) }
        : { type: 'ANONYMOUS', id: null, name: person.email },
    },
    {
      action: 'password.reset-requested',
      subjectType: 'EMPLOYEE',
      subjectId: person.id,
      summary: `A link to choose a new password was sent to ${fullName(person)}`,
    },
  )
}

function linkMail(workspace: Workspace, person: Person, link: { readonly token: string; readonly expiresAt: string }) {
  return writeAccountMail({
    kind: 'password-reset',
    to: mailboxOf(person),
    reader: person,
    workspace,
    link: { url: `${workspace.baseUrl}/reset#${link.token}`, expiresAt: link.expiresAt },
  })
}

async function countAsked({ tx, at }: Pick<MailJob, 'tx' | 'at'>, { workspaceId, id }: Person): Promise<number> {
  const [asked] = await tx
    .select({ n: count() })
    .from(passwordResets)
    .where(
      and(
        eq(passwordResets.workspaceId, workspaceId),
        eq(passwordResets.employeeId, id),
        isNull(passwordResets.sentById),
        gt(passwordResets.createdAt, new Date(Date.parse(at) - hourMs).toISOString()),
      ),
    )
  return asked?.n ?? 0
}

function mailboxOf(person: Person, address = person.email) {
  return { name: fullName(person), address }
}
