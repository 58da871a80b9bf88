import { ApiError } from '@crm/errors'
import type { CrmContext } from '../../platform/context.ts'
import { knownDevice } from './device-cookie.ts'
import { foldAddress, type Person } from './people.repository.ts'
import { signInLimits } from './sign-in-limits.ts'
import { countSignInTry, type CountedUnder } from './sign-in-tries.repository.ts'

/** Checks passwords in turn: guesses in one workspace delay no other workspace, and leave the database to it. */
export async function inTurn<T>({ deps, workspace }: CrmContext, work: () => Promise<T>): Promise<T> {
  const end = await deps.passwordChecks.enter(workspace.id)
  if (!end) throw new ApiError('RATE_LIMITED', { message: 'Too many people sign in at this moment', retryAfterS: 5 })
  try {
    return await work()
  } finally {
    end()
  }
}

/**
 * Returns the keys under which a sign-in try is counted. A known device has tries of its own, which no stranger can use up.
 * Without one the account, the address and both together count, as far as addresses can be distinguished.
 */
export async function countedUnder(
  context: CrmContext,
  email: string,
  person: Person | undefined,
): Promise<CountedUnder[]> {
  // The same letters have to be alike here and where the person is found, or each spelling had tries of its own.
  const account = await foldAddress(context.db, email)
  const device = knownDevice(context, person)
  if (device !== null) return [{ limit: signInLimits.device, key: `device:${account}:${device}` }]
  const address = context.countedAddress()
  const ofAddress =
    address === null
      ? []
      : [
          { limit: signInLimits.accountAndAddress, key: `account-address:${account}:${address}` },
          { limit: signInLimits.address, key: `address:${address}`, isShared: true },
        ]
  return [{ limit: signInLimits.account, key: `account:${account}` }, ...ofAddress]
}

/** Returns the key under which tries in a session are counted; other people cannot use them up. */
export function countedInSession({ caller }: CrmContext): CountedUnder[] {
  return [{ limit: signInLimits.device, key: `session:${caller.credential.id}` }]
}

/** Refuses a try that has to wait; any other try is counted before it is checked. */
export async function requireTry(
  { deps, workspace, at }: CrmContext,
  under: readonly CountedUnder[],
): Promise<{ readonly isLast: boolean }> {
  const { waitMs, isLast } = await countSignInTry(deps.db, workspace.id, under, Date.parse(at))
  if (waitMs > 0)
    throw new ApiError('RATE_LIMITED', {
      message: 'Too many attempts to sign in',
      retryAfterS: Math.ceil(waitMs / 1_000),
    })
  return { isLast }
}
