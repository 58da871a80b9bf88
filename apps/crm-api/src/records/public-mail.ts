import knownDomains from 'email-providers/all.json' with { type: 'json' }
import { emailKey } from './contact-points.ts'

/** Providers that the list lacks. */
const others = [
  'a1.net',
  'fastmail.com',
  'keemail.me',
  'posteo.de',
  'posteo.net',
  'tuta.com',
  'tuta.io',
  'tutamail.com',
  'tutanota.com',
  'tutanota.de',
  'ziggo.nl',
]
const providers = new Set([...knownDomains, ...others])

/** Whether anybody can have an address at a domain, so that it says nothing about a company. */
export function isPublicMail(domain: string): boolean {
  return providers.has(emailKey(domain))
}
