import type { MigrationSource } from '@crm/contract'
import type { BroughtFile } from './moving.ts'

/** What one program writes when its companies, people and deals are exported: the titles are its own. */
export interface ProgramExport {
  readonly source: MigrationSource
  readonly files: readonly BroughtFile[]
}

interface Sold {
  readonly n: number
  /** The number of its company and of its contact. */
  readonly of: number
  readonly isWon: boolean
}

const companiesOf = (deals: number): number => Math.max(1, Math.round(deals / 4))

const table = (name: string, header: string, rows: readonly string[]): BroughtFile => ({
  name,
  content: [header, ...rows, ''].join('\n'),
})
/** Days that no month could be, so that their order is known. */
const day = (n: number): number => (n % 15) + 13
const two = (n: number): string => String(n).padStart(2, '0')

/** Returns the exports of five programs with some deals each, owned by a person with a name and an address. */
export function exportsOfPrograms(
  deals: number,
  owner: { readonly name: string; readonly email: string },
): readonly ProgramExport[] {
  const count = companiesOf(deals)
  const sold = Array.from({ length: deals }, (_, n): Sold => ({ n, of: n % count, isWon: n % 3 === 0 }))
  const firms = Array.from({ length: count }, (_, n) => n)
  return [hubSpot, pipedrive, salesforce, zoho, espo].map((write) => write(firms, sold, owner))
}

type Write = (
  firms: readonly number[],
  sold: readonly Sold[],
  owner: { readonly name: string; readonly email: string },
) => ProgramExport

const hubSpot: Write = (firms, sold, { name, email }) => ({
  source: 'HUBSPOT',
  files: [
    table(
      'hubspot-crm-exports-all-deals.csv',
      'Record ID,Deal Name,Deal Stage,Pipeline,Amount,Close Date,Deal owner,Associated Company IDs (Primary),Associated Contact IDs,Create Date',
      sold.map(
        ({ n, of, isWon }) =>
          `90${n},HubSpot deal ${n},${isWon ? 'Closed Won' : 'Proposal'},Sales,${n * 100}.5,2026-03-${two(day(n))} 10:22,${email},70${of},80${of},2025-11-${two(day(n))} 09:00`,
      ),
    ),
    table(
      'hubspot-crm-exports-all-contacts.csv',
      'Record ID,First Name,Last Name,Email,Phone Number,Associated Company IDs (Primary),Contact owner',
      firms.map((n) => `80${n},Ann ${n},Hub,ann${n}@hub.example,+49 30 1234${two(n % 100)},70${n},${email}`),
    ),
    table(
      'hubspot-crm-exports-all-companies.csv',
      'Record ID,Company name,Company Domain Name,Industry,City,Company owner',
      firms.map((n) => `70${n},Hub company ${n},hub${n}.example,,Berlin,${name}`),
    ),
  ],
})

const pipedrive: Write = (firms, sold, { name }) => ({
  source: 'PIPEDRIVE',
  files: [
    table(
      'deals-1234.csv',
      'Deal - ID;Deal - Title;Deal - Value;Deal - Currency;Deal - Stage;Deal - Status;Deal - Owner;Deal - Organization;Deal - Contact person;Deal - Expected close date;Deal - Won time',
      sold.map(
        ({ n, of, isWon }) =>
          `${n + 1};Pipe deal ${n};${n * 100},50;EUR;Proposal;${isWon ? 'Won' : 'Open'};${name};Pipe company ${of};Ann Pipe${of};2026-03-${two(day(n))};${isWon ? `2026-02-${two(day(n))} 08:00:00` : ''}`,
      ),
    ),
    table(
      'people-1234.csv',
      'Person - ID;Person - Name;Person - Organization;Person - Email - Work;Person - Phone - Work;Person - Owner',
      firms.map(
        (n) => `${n + 1};Ann Pipe${n};Pipe company ${n};ann${n}@pipe.example;+49 30 2234${two(n % 100)};${name}`,
      ),
    ),
    table(
      'organizations-1234.csv',
      'Organization - ID;Organization - Name;Organization - Address;Organization - Owner',
      firms.map((n) => `${n + 1};Pipe company ${n};Main street ${n};${name}`),
    ),
  ],
})

const salesforce: Write = (firms, sold, { name }) => ({
  source: 'SALESFORCE',
  files: [
    table(
      'Opportunity.csv',
      '"Opportunity ID","Opportunity Name","Amount","Stage","Close Date","Opportunity Owner","Account ID","Account Name","Contact ID","Created Date"',
      sold.map(
        ({ n, of, isWon }) =>
          `"006000000000${String(n).padStart(3, '0')}","Force deal ${n}","${n * 100}","${isWon ? 'Closed Won' : 'Proposal'}","3/${day(n)}/2026","${name}","001000000000${String(of).padStart(3, '0')}","Force company ${of}","003000000000${String(of).padStart(3, '0')}","11/${day(n)}/2025"`,
      ),
    ),
    table(
      'Contact.csv',
      '"Contact ID","First Name","Last Name","Email","Account ID","Mailing City"',
      firms.map(
        (n) =>
          `"003000000000${String(n).padStart(3, '0')}","Ann ${n}","Force","ann${n}@force.example","001000000000${String(n).padStart(3, '0')}","Bonn"`,
      ),
    ),
    table(
      'Account.csv',
      '"Account ID","Account Name","Website","Billing City","Account Owner"',
      firms.map(
        (n) =>
          `"001000000000${String(n).padStart(3, '0')}","Force company ${n}","https://www.force${n}.example/","Bonn","${name}"`,
      ),
    ),
  ],
})

const zoho: Write = (firms, sold, { name }) => ({
  source: 'ZOHO',
  files: [
    table(
      'Deals_2026.csv',
      'Record Id,Deal Name,Amount,Stage,Closing Date,Deal Owner,Account Name.id,Account Name,Contact Name.id,Contact Name',
      sold.map(
        ({ n, of, isWon }) =>
          `zcrm_5000${n},Zoho deal ${n},${n * 100},${isWon ? 'Closed Won' : 'Proposal'},${day(n)}/03/2026,${name},zcrm_6000${of},Zoho company ${of},zcrm_7000${of},Ann Zoho${of}`,
      ),
    ),
    table(
      'Contacts_2026.csv',
      'Record Id,First Name,Last Name,Email,Mobile,Account Name.id,Account Name',
      firms.map(
        (n) =>
          `zcrm_7000${n},Ann,Zoho${n},ann${n}@zoho.example,+49 151 1234${String(n).padStart(4, '0')},zcrm_6000${n},Zoho company ${n}`,
      ),
    ),
    table(
      'Accounts_2026.csv',
      'Record Id,Account Name,Phone,Website,Account Owner',
      firms.map((n) => `zcrm_6000${n},Zoho company ${n},+49 30 3234${two(n % 100)},zoho${n}.example,${name}`),
    ),
  ],
})

const espo: Write = (firms, sold, { name }) => ({
  source: 'ESPOCRM',
  files: [
    table(
      'Export_Opportunity.csv',
      'ID,Name,Amount,Amount Currency,Stage,Close Date,Assigned User,Account ID,Account,Contact ID',
      sold.map(
        ({ n, of, isWon }) =>
          `e5b${n},Espo deal ${n},${n * 100},EUR,${isWon ? 'Closed Won' : 'Proposal'},2026-03-${two(day(n))},${name},a5b${of},Espo company ${of},c5b${of}`,
      ),
    ),
    table(
      'Export_Contact.csv',
      'ID,First Name,Last Name,Email,Phone,Account ID,Account',
      firms.map(
        (n) => `c5b${n},Ann ${n},Espo,ann${n}@espo.example,+4930423400${two(n % 100)},a5b${n},Espo company ${n}`,
      ),
    ),
    table(
      'Export_Account.csv',
      'ID,Name,Website,Billing Address City,Assigned User',
      firms.map((n) => `a5b${n},Espo company ${n},https://espo${n}.example,Köln,${name}`),
    ),
  ],
})
