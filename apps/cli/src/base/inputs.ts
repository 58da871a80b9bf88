import { findPasswordProblems, hostName, passwordProblems, type PasswordOwner, type PasswordRules } from '@crm/identity'
import { CommandError } from './output.ts'

/** A host as it was typed: the name that requests are found by, and the name with its port, if any. */
export interface Host {
  readonly name: string
  readonly nameAndPort: string
}

/** Reads a host name or address, with or without a port; requests are distinguished by the name alone. */
export function readHost(text: string): Host {
  const url = URL.parse(`http://${text}`)
  if (!url || !/^[^/?#@\\\s]+$/.test(text) || !/^(\[[\d.:a-f]+\]|[\w.-]+)$/.test(url.hostname))
    throw new CommandError(`${text} is not a host name`)
  return { name: hostName(url.hostname), nameAndPort: url.host }
}

/** Reads the public address of a workspace. */
export function readBaseUrl(text: string): string {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol))
    throw new CommandError(`--base-url is an address such as https://crm.example.com, not ${text}`)
  return text.replace(/(?<!\/)\/+$/, '')
}

/** Reads an email address that somebody signs in with. */
export function readEmail(text: string): string {
  if (text.length > 255 || !/^[^\s@]+@[^\s@]+$/.test(text)) throw new CommandError(`${text} is not an email address`)
  return text
}

/** Reads a password for somebody and refuses one that the console would refuse. */
export async function readPassword(
  text: string,
  owner: PasswordOwner,
  { minLength, breachedFile }: PasswordRules,
): Promise<string> {
  const problems = await findPasswordProblems(text, owner, { minLength, breachedFile })
  if (problems.length === 0) return text
  const sentences = problems.map((problem) =>
    problem === 'TOO_SHORT' ? `A password has at least ${minLength} characters` : passwordProblems[problem],
  )
  throw new CommandError(sentences.join('. '))
}

/** Reads how many an option asks for. */
export function readCount(option: string, text: string): number {
  if (!/^\d{1,8}$/.test(text)) throw new CommandError(`${option} is a whole number`)
  return Number(text)
}
