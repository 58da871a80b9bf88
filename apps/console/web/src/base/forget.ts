import { queryClient } from './queries.ts'

const parts: (() => void)[] = []

/** Says how a part of the console forgets what it keeps in mind for the person who is signed in. */
export function forgetsWithPerson(forget: () => void): void {
  parts.push(forget)
}

/** Forgets what the pages have read and kept in mind, so that the next person on this tab finds nothing of it. */
export function forgetPerson(): void {
  queryClient.clear()
  for (const forget of parts) forget()
}

/** Forgets the texts that were not sent and the role that was tried on, too: a new sign-in of the same person keeps them. */
export function forgetTab(): void {
  sessionStorage.clear()
  forgetPerson()
}
