import { z } from 'zod'

const form = 'postgres://USER:PASSWORD@HOST:PORT/DATABASE'
const ofSockets = 'postgres://USER:PASSWORD@%2Frun%2Fpostgresql:5432/DATABASE'

const inQuery: readonly (readonly [readonly string[], string])[] = [
  [['user', 'password'], `The user and the password stand before the @: ${form}`],
  [['host', 'hostaddr'], `The host stands after the @: ${form}; the folder of a socket is written as ${ofSockets}`],
  [['port'], `The port stands after the host: ${form}`],
  [['dbname', 'database'], `The database stands after the last /: ${form}`],
]

/**
 * Returns what is wrong with the form of an address of PostgreSQL, with the form that is right; undefined when it can be used. An address is
 * also the pattern for those of other roles, so it names each thing once, and where every reader of addresses looks for it.
 */
function faultOf(address: string): string | undefined {
  if (address.startsWith('/') || /^socket:/i.test(address)) return `A socket is written as ${ofSockets}`
  const [, authority = '', database = ''] = /^postgres(?:ql)?:\/\/([^/?#]*)(\/[^?#]*)?/i.exec(address) ?? []
  const host = authority.slice(authority.lastIndexOf('@') + 1)
  if (host.includes(','))
    return `Expected one host: ${form}. Where several servers follow one another, name the address that always leads to the primary`
  const query = new URLSearchParams(/\?([^#]*)/.exec(address)?.[1])
  const misplaced = inQuery.find(([names]) => names.some((name) => query.has(name)))
  if (misplaced) return misplaced[1]
  const isUrl = z.url({ protocol: /^postgres(ql)?$/ }).safeParse(address).success
  return isUrl && host !== '' && database.length > 1
    ? undefined
    : `Expected ${form}; a socket is written as ${ofSockets}`
}

/** The address of a PostgreSQL database. A refusal says which form is right, and shows nothing of what was given. */
export const databaseUrl = z.string().superRefine((address, context) => {
  const fault = faultOf(address)
  if (fault !== undefined) context.addIssue({ code: 'custom', message: fault })
})
