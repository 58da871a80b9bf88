import type { Recognised } from '../src/tools/credential.ts'

/** A stand-in for the recognition of credentials. */
export interface Door {
  recognise(head: { readonly host: string; readonly authorization: string | undefined }): Promise<Recognised>
  /** The number of calls since the last reset. */
  asked(): number
  /** Changes its answer for every credential. */
  say(words: Partial<Recognised>): void
  reset(): void
}

/** Starts a stand-in that knows keys of the form `sk-<permissions>`. */
export function startDoor(): Door {
  let asked = 0
  let words: Partial<Recognised> = {}
  return {
    recognise: async ({ authorization = '' }) => {
      asked += 1
      return {
        workspace: { inMaintenance: false },
        caller: callerOf(authorization),
        budget: { allowed: true, retryAfterS: 60 },
        ...words,
      }
    },
    asked: () => asked,
    say: (said) => void (words = said),
    reset: () => {
      asked = 0
      words = {}
    },
  }
}

function callerOf(authorization: string): Recognised['caller'] {
  if (!authorization.startsWith('Bearer sk-')) return null
  return {
    employee: { status: 'ACTIVE' },
    effective: new Set(authorization.slice('Bearer sk-'.length).split(',').filter(Boolean)),
  }
}
