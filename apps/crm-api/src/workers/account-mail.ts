import { schema } from '@crm/db'
import { digest, fullName, newSecret, readWorkspace, type Workspace } from '@crm/identity'
import { writeAccountMail } from '@crm/mail'
import { and, count, eq, gt, isNull } from 'drizzle-orm'
import type { AccountMail, ResetMail } from '../domain/sign-in/account-mails.ts'
import { findPerson, lockPerson, readPerson, type Person } from '../domain/sign-in/people.repository.ts'
import { nobody } from '../platform/context.ts'
import { audit } from '../records/audit.ts'
import type { Job } from './job-handler.ts'

const { passwordResets } = schema

/** A mail that still cannot be sent then is given up: it would come too late to help. */
const attemptsMax = 8
const hourMs = 3_600_000
const resetLifeMs = 30 * 60_000
const resetMailsAnHour = 3

/** Mails somebody that something happened to their account. */
export async function mailAboutAccount({ row, tx, deps }: Job): Promise<void> {
  const { kind, employeeId, address, name, event } = row.payload as unknown as AccountMail
  const workspace = await readWorkspace(deps.pool, row.workspaceId)
  const person = await readPerson(tx, row.workspaceId, employeeId)
  if (!workspace || !person || person.kind === 'SERVICE' || row.attempts > attemptsMax) return
  await deps.mailer.send(
    writeAccountMail({ kind, to: mailboxOf(person, address), reader: person, workspace, name, event }),
  )
}

/**
 * Mails a link to choose a new password. Nothing is mailed for an address without an active account, and no more than three links
 * an hour that somebody asked for.
 */
export async function mailReset({ row, tx, deps, at }: Job): Promise<void> {
  const { email, employeeId, sentById, event } = row.payload as unknown as ResetMail
  const workspace = await readWorkspace(deps.pool, row.workspaceId)
  const found = await (employeeId === undefined
    ? findPerson(tx, row.workspaceId, email ?? '')
    : readPerson(tx, row.workspaceId, employeeId))
  // The link goes to the address of this moment: one that changes meanwhile has ended the links of before.
  const person = found && (await lockPerson(tx, found))
  if (!workspace || person?.status !== 'ACTIVE' || person.kind === 'SERVICE' || row.attempts > attemptsMax) return
  if (sentById === null && (await countAsked({ tx, at }, person)) >= resetMailsAnHour) return
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
  await deps.mailer.send(linkMail(workspace, person, { token, expiresAt }))
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

async function countAsked({ tx, at }: Pick<Job, 'tx' | 'at'>, { workspaceId, id }: Person): Promise<number> {
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
