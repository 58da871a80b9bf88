import { createContext } from 'react'

/** An email that answers another one. */
export interface Answer {
  readonly to: string
  readonly subject: string
}

/** What a record's page knows of replies: the one that is being written, and how to begin one to an email by its id. */
export interface Replies {
  readonly answer: Answer | null
  readonly replyTo: ((activityId: string) => void) | undefined
}

export const Replying = createContext<Replies>({ answer: null, replyTo: undefined })

/** Returns the answer to an email: to everybody else who wrote or got it. */
export function answerTo({ subject, participants }: Readonly<Record<string, unknown>>, ownAddress: string): Answer {
  const people = Array.isArray(participants) ? (participants as readonly { readonly email?: string | null }[]) : []
  const others = people.flatMap(({ email }) =>
    email && email.toLowerCase() !== ownAddress.toLowerCase() ? [email] : [],
  )
  const text = typeof subject === 'string' ? subject : ''
  return { to: [...new Set(others)].join(', '), subject: /^re:/i.test(text) ? text : `Re: ${text}` }
}
