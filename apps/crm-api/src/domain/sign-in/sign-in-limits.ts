/** A limit of failures: of one account from one device or address, of one account, or of one address. */
export interface SignInLimit {
  /** The number of failures within 15 minutes after which the next try has to wait. */
  readonly failuresMax: number
  /** The longest wait, in milliseconds. */
  readonly waitMsMax: number
  /** The first wait; 30 seconds unless told. */
  readonly firstWaitMs?: number
  /** The time within which failures count; 15 minutes unless told. */
  readonly windowMs?: number
}

const minute = 60_000
const usualWindowMs = 15 * minute
const usualFirstWaitMs = 30_000

export const signInLimits = {
  device: { failuresMax: 10, waitMsMax: 15 * minute },
  accountAndAddress: { failuresMax: 10, waitMsMax: 15 * minute },
  account: { failuresMax: 50, waitMsMax: 15 * minute },
  // Many people may share one address.
  address: { failuresMax: 100, waitMsMax: minute },
  // A proxy that nobody trusts stands for all of its clients, or is one client who says that it is a proxy.
  proxy: { failuresMax: 1_000, waitMsMax: minute },
  // Whoever comes this far has the password already.
  secondFactor: { failuresMax: 20, waitMsMax: 60 * minute, firstWaitMs: 60 * minute, windowMs: 60 * minute },
} as const satisfies Readonly<Record<string, SignInLimit>>

/** The failures under one key; times in milliseconds since the epoch. */
export interface Tries {
  readonly failures: number
  readonly blockedUntilMs: number
  /** The time after which no failure counts any more. */
  readonly endsAtMs: number
}

const noTries: Tries = { failures: 0, blockedUntilMs: 0, endsAtMs: 0 }

/** Returns how many milliseconds a try has to wait; 0: no wait. */
export function waitOf(tries: Tries | undefined, nowMs: number): number {
  return Math.max(0, (tries?.blockedUntilMs ?? 0) - nowMs)
}

/**
 * Counts a try as a failure before it is checked, so that concurrent tries cannot pass the limit. From the last allowed
 * failure on, each failure doubles the wait of the next try.
 */
export function countTry(earlier: Tries | undefined, limit: SignInLimit, nowMs: number): Tries {
  const { failuresMax, waitMsMax, firstWaitMs = usualFirstWaitMs, windowMs = usualWindowMs } = limit
  const { failures: before, endsAtMs } = earlier && earlier.endsAtMs > nowMs ? earlier : noTries
  const failures = before + 1
  if (failures < failuresMax)
    return { failures, blockedUntilMs: 0, endsAtMs: before === 0 ? nowMs + windowMs : endsAtMs }
  const blockedUntilMs = nowMs + Math.min(waitMsMax, firstWaitMs * 2 ** Math.min(failures - failuresMax, 20))
  return { failures, blockedUntilMs, endsAtMs: blockedUntilMs + windowMs }
}

/** Removes the failure that was counted for a try which turned out to be right. */
export function forgiveTry(tries: Tries, { failuresMax }: SignInLimit): Tries {
  const failures = Math.max(0, tries.failures - 1)
  return { ...tries, failures, blockedUntilMs: failures < failuresMax ? 0 : tries.blockedUntilMs }
}
