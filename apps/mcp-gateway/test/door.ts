import type { Recognised } from '../src/tools/credential.ts'

/** Stands where credentials are recognised. */
export interface Door {
  recognise(head: { readonly host: string; readonly authorization: string | undefined }): Promise<Recognised>
  /** How often it was asked since the last reset. */
  asked(): number
  /** Changes what it says of every credential. */
  say(words: Partial<Recognised>): void
  reset(): void
}

/** Knows keys whose text is `sk-<permissions>`. */
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
