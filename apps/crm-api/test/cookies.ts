import type { CallAnswer } from './harness.ts'

/** Returns a cookie that an answer sets, as the browser sends it back; empty when it sets none of that name. */
export function cookieOf({ headers }: CallAnswer, name: string): string {
  const set = headers['set-cookie']
  const all = (Array.isArray(set) ? set : [set]) as (string | undefined)[]
  return all.find((one) => one?.startsWith(`${name}=`))?.split(';')[0] ?? ''
}

/** Returns the session that an answer starts. */
export const sessionIn = (answer: CallAnswer): string => cookieOf(answer, 'crm_session')
