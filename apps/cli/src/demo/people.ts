import type { Random } from '@crm/runtime'

const firstNames = listed(
  'Anna, Björn, Chloé, Daniel, Elena, Farid, Grace, Hugo, Ingrid, Jamal, Katarzyna, Liam, Mei, Noah, Olivia, Pavel, Rosa, Søren, Tomás, Uma, Viktor, Wanda, Yusuf, Zoë, Amara, Bruno, Clara, Dmitri, Esther, Felix',
)
const lastNames = listed(
  'Keller, Lindqvist, Moreau, Okonkwo, Petrov, Haddad, Hopper, Lefèvre, Nygård, Osei, Kowalska, Murphy, Tanaka, Schneider, Rossi, Novák, García, Jensen, Silva, Iyer, Ivanov, Zielińska, Demir, van Dijk, Mensah, Ferreira',
)
const companyRoots = listed(
  'Nordwind, Blue Harbour, Alpenglow, Quantum, Lighthouse, Red Maple, Silverline, Greenfield, Copper Hill, Skylark, Ironbridge, Bright Path, Old Mill, Evergreen, Granite, Solstice, Harvest, Riverside, Cobalt, Meridian',
)
const companyKinds = listed(
  'Logistics, Software, Foods, Textiles, Energy, Robotics, Consulting, Media, Health, Interiors',
)
const companyForms = ['GmbH', 'Ltd', 'AB', 'SARL', 'BV', 'Inc']
const jobTitles = listed(
  'Managing Director, Head of Sales, Operations Manager, Buyer, Office Manager, CTO, Marketing Lead, Founder',
)

/** A company that might become a customer. */
export interface Company {
  readonly name: string
  readonly domain: string
  /** The company's line of business. */
  readonly kind: string
}

/** Somebody who might become a customer. */
export interface Person {
  readonly firstName: string
  readonly lastName: string
  readonly companyName: string
  readonly domain: string
  readonly email: string
  readonly phone: string
  readonly jobTitle: string
}

/** Invents a company; up to 200 serials give distinct names. */
export function inventCompany(random: Random, serial: number): Company {
  // 37 has no divisor in common with the number of pairs, so every pair comes up before any pair repeats.
  const pair = (serial * 37) % (companyRoots.length * companyKinds.length)
  const root = companyRoots[pair % companyRoots.length] as string
  return nameCompany(random, root, companyKinds[Math.floor(pair / companyRoots.length)] as string)
}

function nameCompany(random: Random, root: string, kind: string): Company {
  const domain = `${ascii(root)}-${ascii(kind)}.example`
  return { name: `${root} ${kind} ${random.pick(companyForms)}`, domain, kind }
}

/** Invents a person who works at a company; `serial` keeps phone numbers apart. */
export function inventColleague(random: Random, serial: number, { name, domain }: Company): Person {
  const firstName = random.pick(firstNames)
  const lastName = random.pick(lastNames)
  const email = `${ascii(firstName)}.${ascii(lastName)}@${domain}`
  const jobTitle = random.pick(jobTitles)
  return { firstName, lastName, companyName: name, domain, email, phone: phoneOf(serial), jobTitle }
}

/** Invents a person at a company; `serial` keeps addresses apart. */
export function inventPerson(random: Random, serial: number): Person {
  const company = nameCompany(random, random.pick(companyRoots), random.pick(companyKinds))
  const person = inventColleague(random, serial, company)
  return { ...person, email: person.email.replace('@', `.${serial}@`) }
}

function phoneOf(serial: number): string {
  return `+49151${String(10_000_000 + ((serial * 7919) % 89_999_999)).padStart(8, '0')}`
}

function ascii(text: string): string {
  const plain = text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll('ø', 'o')
    .replaceAll('Ø', 'O')
    .replaceAll('å', 'a')
  return plain.toLowerCase().replaceAll(/[^a-z]+/g, '')
}

/** Returns the words of a text in which commas stand between them. */
function listed(words: string): readonly string[] {
  return words.split(', ')
}
