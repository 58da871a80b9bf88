import knownDomains from 'free-email-domains'
import { emailKey } from './contact-points.ts'

/** Providers that the list lacks. */
const others = ['hey.com', 'tuta.com', 'tuta.io', 'tutamail.com', 'tutanota.com', 'tutanota.de', 'keemail.me']
const providers = new Set([...knownDomains, ...others])

/** Whether anybody can have an address at a domain, so that it says nothing about a company. */
export function isPublicMail(domain: string): boolean {
  return providers.has(emailKey(domain))
}
