import type { PaymentLinkRecord } from '@crm/contract'
import { isAnyOf, newId, schema, type Executor, type Transaction } from '@crm/db'
import { digest, newSecret } from '@crm/identity'
import { and, desc, eq, isNull, sql, type SQL } from 'drizzle-orm'
import { createHmac } from 'node:crypto'
import type { CrmContext } from '../../../platform/context.ts'

const { paymentLinks } = schema

type LinkContext = Pick<CrmContext, 'workspace' | 'deps' | 'at' | 'caller'>

/** The public page of an invoice in the form for the person who opened it. */
export interface OpenedLink {
  readonly url: string
  readonly token: string
  readonly expiresAt: string | null
}

/**
 * Returns the token of a link. With a secret of the installation it can be computed again for people who may see the
 * invoice; either way it has 256 bits, and the database holds only its digest.
 */
function tokenOf(linkId: string, secret: string | undefined): string {
  return secret === undefined
    ? newSecret()
    : createHmac('sha256', secret).update(`payment-link:${linkId}`).digest('base64url')
}

function urlOf({ workspace }: Pick<CrmContext, 'workspace'>, token: string): string {
  return `${workspace.baseUrl}/pay/${token}`
}

/** Opens a public page of an invoice and closes an earlier one. */
export async function openPaymentLink(
  tx: Transaction,
  context: LinkContext,
  invoiceId: string,
  expiresAt: string | null,
): Promise<OpenedLink> {
  const { workspace, deps, at, caller } = context
  await closePaymentLinks(tx, context, invoiceId)
  const id = newId()
  const token = tokenOf(id, deps.runTokenSecret)
  const stamps = { createdAt: at, updatedAt: at, createdById: caller.employee.id }
  await tx
    .insert(paymentLinks)
    .values({ workspaceId: workspace.id, id, invoiceId, tokenHash: digest(token), expiresAt, ...stamps })
  return { url: urlOf(context, token), token, expiresAt }
}

/** Closes the public pages of an invoice. */
export async function closePaymentLinks(
  tx: Transaction,
  { workspace, at }: Pick<LinkContext, 'workspace' | 'at'>,
  invoiceId: string,
): Promise<void> {
  await tx
    .update(paymentLinks)
    .set({ revokedAt: at, updatedAt: at })
    .where(and(ofInvoices(workspace.id, [invoiceId]), isNull(paymentLinks.revokedAt)))
}

/** Returns the addresses of the open public pages, by invoice; addresses that cannot be computed again are missing. */
export async function readLinkUrls(
  db: Executor,
  { workspace, deps, at }: Pick<LinkContext, 'workspace' | 'deps' | 'at'>,
  invoiceIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (invoiceIds.length === 0 || deps.runTokenSecret === undefined) return new Map()
  const links = await db
    .select()
    .from(paymentLinks)
    .where(and(ofInvoices(workspace.id, invoiceIds), isOpen(at)))
    .orderBy(paymentLinks.id)
  return new Map(
    links.flatMap((link) => {
      const url = urlAgain({ workspace, deps }, link)
      return url === null ? [] : [[link.invoiceId, url] as const]
    }),
  )
}

/** Returns the open public page of an invoice, even if its address cannot be computed again; null without one. */
export async function findOpenLink(
  db: Executor,
  { workspace, deps, at }: Pick<LinkContext, 'workspace' | 'deps' | 'at'>,
  invoiceId: string,
): Promise<PaymentLinkRecord | null> {
  const [link] = await db
    .select()
    .from(paymentLinks)
    .where(and(ofInvoices(workspace.id, [invoiceId]), isOpen(at)))
    .orderBy(desc(paymentLinks.id))
    .limit(1)
  if (!link) return null
  const { expiresAt, createdAt } = link
  return {
    url: urlAgain({ workspace, deps }, link),
    expiresAt,
    createdAt,
  }
}

/** Returns the address of a link again; null when another secret, or none, made its token. */
function urlAgain(
  context: Pick<CrmContext, 'workspace' | 'deps'>,
  { id, tokenHash }: Pick<typeof paymentLinks.$inferSelect, 'id' | 'tokenHash'>,
): string | null {
  const { runTokenSecret, runTokenSecretPrevious } = context.deps
  const tokens = [runTokenSecret, runTokenSecretPrevious].map((secret) => tokenOf(id, secret))
  const token = tokens.find((each) => digest(each).equals(tokenHash))
  return token === undefined ? null : urlOf(context, token)
}

/** Returns the invoice whose public page a token opens, or null. */
export async function findByToken(
  db: Executor,
  workspaceId: string,
  token: string,
  at: string,
): Promise<string | null> {
  const [link] = await db
    .select({ invoiceId: paymentLinks.invoiceId })
    .from(paymentLinks)
    .where(and(eq(paymentLinks.workspaceId, workspaceId), eq(paymentLinks.tokenHash, digest(token)), isOpen(at)))
    .orderBy(desc(paymentLinks.id))
    .limit(1)
  return link?.invoiceId ?? null
}

function isOpen(at: string): SQL {
  return and(
    isNull(paymentLinks.revokedAt),
    sql`(${paymentLinks.expiresAt} IS NULL OR ${paymentLinks.expiresAt} > ${at})`,
  ) as SQL
}

function ofInvoices(workspaceId: string, ids: readonly string[]): SQL {
  return and(eq(paymentLinks.workspaceId, workspaceId), isAnyOf(paymentLinks.invoiceId, ids)) as SQL
}
