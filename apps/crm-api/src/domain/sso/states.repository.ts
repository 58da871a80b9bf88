import type { SsoPurpose } from '@crm/contract'
import { inPart, schema, type Executor } from '@crm/db'
import { digest } from '@crm/identity'
import { doSharedWork, type RoundDeps } from '@crm/jobs'
import { and, eq, lt } from 'drizzle-orm'
import type { CrmContext } from '../../platform/context.ts'

const { ssoStates } = schema

/** How long a person may take at the provider. */
export const stateLifeS = 10 * 60

/** A way to a provider that a browser has begun. */
export interface SsoState {
  readonly providerId: string
  readonly nonce: string
  readonly verifier: string
  readonly purpose: SsoPurpose
  readonly sessionId: string | null
  readonly employeeId: string | null
  readonly next: string
  readonly createdAt: string
}

/** Keeps a state for the browser with a cookie. */
export async function insertState(
  { db, workspace, at }: CrmContext,
  { state, browser }: { readonly state: string; readonly browser: string },
  facts: Omit<SsoState, 'createdAt'>,
): Promise<void> {
  await db.insert(ssoStates).values({
    ...facts,
    workspaceId: workspace.id,
    stateHash: digest(state),
    browserHash: digest(browser),
    createdAt: at,
    expiresAt: new Date(Date.parse(at) + stateLifeS * 1_000).toISOString(),
  })
}

/** Takes a state that the browser with this cookie has begun; it is used up, and another browser uses up nothing. */
export async function takeState(
  db: Executor,
  { workspace, at }: Pick<CrmContext, 'workspace' | 'at'>,
  { state, browser }: { readonly state: string; readonly browser: string },
): Promise<SsoState | undefined> {
  const [taken] = await db
    .delete(ssoStates)
    .where(
      and(
        eq(ssoStates.workspaceId, workspace.id),
        eq(ssoStates.stateHash, digest(state)),
        eq(ssoStates.browserHash, digest(browser)),
      ),
    )
    .returning()
  return taken && taken.expiresAt > at ? taken : undefined
}

/** Deletes the states of people who never came back. */
export async function deleteOldStates(deps: RoundDeps): Promise<void> {
  const { db, clock } = deps
  await doSharedWork(deps, {
    name: 'delete-begun-ways-to-providers',
    perform: (part) =>
      db
        .delete(ssoStates)
        .where(and(lt(ssoStates.expiresAt, clock.now().toISOString()), inPart(ssoStates.workspaceId, part))),
  })
}
