import { setTimeout as waitMs } from 'node:timers/promises'

/** Waits until something is so; fails with its name when it takes too long. What fails while it is asked is not so yet. */
export async function until(
  what: string,
  isSo: () => Promise<boolean>,
  { withinMs, everyMs = 100 }: { readonly withinMs: number; readonly everyMs?: number },
): Promise<void> {
  const endsAt = Date.now() + withinMs
  while (!(await isSo().catch(() => false))) {
    if (Date.now() > endsAt) throw new Error(`${what} took more than ${withinMs / 1_000} s`)
    await waitMs(everyMs)
  }
}
