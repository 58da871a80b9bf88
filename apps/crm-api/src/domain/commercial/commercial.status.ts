import { ApiError } from '@crm/errors'

/** One verb of a document: the states that allow it, the state that it leads to, and its further effects. */
export interface Transition<Status extends string> {
  readonly from: readonly Status[]
  /** null: the state stays, or follows from the amounts. */
  readonly to: Status | null
  /** The required permission. */
  readonly may: string
  /** One sentence for the documentation. */
  readonly follows: string
}

/** All verbs of a kind of document. */
export type StateMachine<Status extends string, Verb extends string> = Readonly<Record<Verb, Transition<Status>>>

/** Returns the transition of a verb, or throws INVALID_TRANSITION when the state does not allow it. */
export function decideTransition<Status extends string, Verb extends string>(
  machine: StateMachine<Status, Verb>,
  verb: Verb,
  status: Status,
): Transition<Status> {
  const transition = machine[verb]
  if (!transition.from.includes(status))
    throw new ApiError('INVALID_TRANSITION', {
      message: `${sentence(verb)} is not possible while the status is ${status}`,
    })
  return transition
}

function sentence(verb: string): string {
  const words = verb.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}
