import { createHash } from 'node:crypto'

/** The seed of all random choices of a run: always the same, unless `TEST_SEED` names another one. */
export const seed = Number(process.env['TEST_SEED'] ?? 1)

/** The part of all steps that a run goes: a tenth, unless `TEST_EFFORT` says more; `npm run test:deep` goes all. */
const effort = Number(process.env['TEST_EFFORT'] ?? 0.1)

/** Returns the number of steps, walks or questions of this run, of all that there are. */
export function stepsOf(all: number): number {
  return Math.max(1, Math.round(all * effort))
}

/** Returns the milliseconds that walks may take in all, on a machine that does much else: what has hung fails, what is slow does not. */
export function timeoutOf(walks: number, perWalkMs: number): number {
  return 120_000 + walks * perWalkMs
}

let made = 100_000

/** Returns a short text that no other call in this process returns, all of one length. */
export function unique(): string {
  return String(++made)
}

/** Returns bytes that look random and are the same in every run with the same seed; others for each number. */
export function noise(bytes: number, number = 0): Buffer {
  return createHash('shake256', { outputLength: bytes }).update(`noise ${seed} ${number}`).digest()
}
