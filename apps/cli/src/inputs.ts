import { hostName } from '@crm/identity'
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
  return text.replace(/\/+$/, '')
}

/** Reads an e-mail address that somebody signs in with. */
export function readEmail(text: string): string {
  if (text.length > 255 || !/^[^\s@]+@[^\s@]+$/.test(text)) throw new CommandError(`${text} is not an e-mail address`)
  return text
}

/** Reads a password and refuses a short one. */
export function readPassword(text: string): string {
  if (text.length < 10) throw new CommandError('A password has at least 10 characters')
  return text
}

/** Reads how many an option asks for. */
export function readCount(option: string, text: string): number {
  if (!/^\d{1,8}$/.test(text)) throw new CommandError(`${option} is a whole number`)
  return Number(text)
}
