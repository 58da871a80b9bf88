import type { Random } from './random.ts'

const firstNames = [
  'Anna', 'Björn', 'Chloé', 'Daniel', 'Elena', 'Farid', 'Grace', 'Hugo', 'Ingrid', 'Jamal', 'Katarzyna', 'Liam', 'Mei', 'Noah', 'Olivia',
  'Pavel', 'Rosa', 'Søren', 'Tomás', 'Uma', 'Viktor', 'Wanda', 'Yusuf', 'Zoë', 'Amara', 'Bruno', 'Clara', 'Dmitri', 'Esther', 'Felix',
]
const lastNames = [
  'Keller', 'Lindqvist', 'Moreau', 'Okonkwo', 'Petrov', 'Haddad', 'Hopper', 'Lefèvre', 'Nygård', 'Osei', 'Kowalska', 'Murphy', 'Tanaka',
  'Schneider', 'Rossi', 'Novák', 'García', 'Jensen', 'Silva', 'Iyer', 'Ivanov', 'Zielińska', 'Demir', 'van Dijk', 'Mensah', 'Ferreira',
]
const companyRoots = [
  'Nordwind', 'Blue Harbour', 'Alpenglow', 'Quantum', 'Lighthouse', 'Red Maple', 'Silverline', 'Greenfield', 'Copper Hill', 'Skylark',
  'Ironbridge', 'Bright Path', 'Old Mill', 'Evergreen', 'Granite', 'Solstice', 'Harvest', 'Riverside', 'Cobalt', 'Meridian',
]
const companyKinds = ['Logistics', 'Software', 'Foods', 'Textiles', 'Energy', 'Robotics', 'Consulting', 'Media', 'Health', 'Interiors']
const companyForms = ['GmbH', 'Ltd', 'AB', 'SARL', 'BV', 'Inc']
const jobTitles = ['Managing Director', 'Head of Sales', 'Operations Manager', 'Buyer', 'Office Manager', 'CTO', 'Marketing Lead', 'Founder']

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

/** Invents a person at a company; `serial` keeps addresses apart. */
export function inventPerson(random: Random, serial: number): Person {
  const firstName = random.pick(firstNames)
  const lastName = random.pick(lastNames)
  const root = random.pick(companyRoots)
  const kind = random.pick(companyKinds)
  const domain = `${ascii(root)}-${ascii(kind)}.example`
  return {
    firstName,
    lastName,
    companyName: `${root} ${kind} ${random.pick(companyForms)}`,
    domain,
    email: `${ascii(firstName)}.${ascii(lastName)}.${serial}@${domain}`,
    phone: `+49151${String(10_000_000 + ((serial * 7919) % 89_999_999)).padStart(8, '0')}`,
    jobTitle: random.pick(jobTitles),
  }
}

function ascii(text: string): string {
  const plain = text.normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll('ø', 'o').replaceAll('Ø', 'O').replaceAll('å', 'a')
  return plain.toLowerCase().replaceAll(/[^a-z]+/g, '')
}
