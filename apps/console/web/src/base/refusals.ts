import { ClientError } from '@crm/client'
import { refusals, users } from './refusal-words.ts'
import { filled, inList, language, t, terms } from './texts.ts'

/** A failed call in words for people. */
export interface Refusal {
  readonly title: string
  readonly text: string
  /** What the API said, where the text says it in other words. */
  readonly details?: string
  /** The id by which an administrator finds the fault in the log. */
  readonly errorId?: string
}

const moduleNames: Readonly<Record<string, string>> = {
  SALES: t('Sales'),
  PROJECTS: t('Projects'),
  CATALOG: t('Catalog'),
  FINANCE: t('Finance'),
  FILES: t('Files'),
}

/** Describes a failed call in words. */
export function describeRefusal(error: unknown): Refusal {
  if (!(error instanceof ClientError))
    return {
      title: t('Something went wrong'),
      text: error instanceof Error ? error.message : t('This page could not load.'),
    }
  if (error.status === 0)
    return { title: t('No connection'), text: t('The service cannot be reached. Check your connection and try again.') }
  if (error.status >= 500) return describeFault(error)
  const text = textOf(error)
  return { title: titleOf(error), text, ...(text.includes(error.message) ? {} : { details: sentence(error.message) }) }
}

function describeFault(error: ClientError): Refusal {
  if (error.code === 'SCHEMA_OUT_OF_DATE') return { title: t('The app is updating'), text: t('Back in a moment.') }
  const errorId = textMember(error.body, 'errorId')
  return {
    title: t('Server error'),
    text: t('{message} Try again in a moment.', { message: wordsFor(error.code) ?? t('This page could not load.') }),
    details: error.message,
    ...(errorId === undefined ? {} : { errorId }),
  }
}

function titleOf({ status, code }: ClientError): string {
  if (code === 'MODULE_DISABLED') return t('This module is turned off')
  if (code === 'QUOTA_EXCEEDED') return t('A limit of the plan is reached')
  if (code === 'STORAGE_QUOTA_EXCEEDED') return t('The storage of the workspace is full')
  if (code === 'ACCOUNT_DISABLED') return t('The account is disabled')
  if (code === 'REAUTHENTICATION_REQUIRED') return t('Not confirmed')
  if (code === 'VERSION_CONFLICT') return t('Changed by someone else')
  if (status === 403) return t('You do not have access')
  if (status === 404) return t('Not found')
  if (status === 429) return t('Too many requests')
  return status === 401 ? t('Not signed in') : t('Something went wrong')
}

function textOf(error: ClientError): string {
  if (error.code === 'MODULE_DISABLED')
    return describeModule(textMember(error.body, 'key'), textMember(error.body, 'reason'))
  if (error.code === 'REAUTHENTICATION_REQUIRED')
    return t('You signed in a while ago, and this needs a confirmation that it is you. Nothing was changed.')
  const message = inPlainWords(error)
  return error.status === 429 ? t('{message} Wait a moment and try again.', { message }) : message
}

/** Refusals that name what only a program needs to know, such as a permission. */
const technical: readonly ClientError['code'][] = ['ACCESS_DENIED', 'ACCESS_LEVEL_NONE']

/** Says a refusal in the language of the page: the API speaks English, and says more about the case. */
function inPlainWords({ code, message, body }: ClientError): string {
  if (language === 'en' && !technical.includes(code)) return sentence(message)
  return usesInWords(body) ?? wordsFor(code) ?? (language === 'en' ? sentence(message) : t('This is not possible.'))
}

/** What the API names as it does in refusals, by the names that the words of kinds have. */
const kindsInWords: Readonly<Record<string, string>> = { DOCUMENT_RECORD: 'DOCUMENT', EMPLOYEE: 'PERSON' }

/** Says what uses a record that is not deleted; undefined for a refusal that does not tell. */
function usesInWords(body: unknown): string | undefined {
  const uses = member(member(body, 'details'), 'uses')
  if (!Array.isArray(uses)) return undefined
  const said = uses.map((use: unknown) => {
    const entityType = textMember(use, 'entityType') ?? 'RECORD'
    const count = Number(member(use, 'count'))
    const user = users[entityType]
    if (user !== undefined) return user(count)
    const kinds: Readonly<Record<string, { readonly count: string }>> = terms.kinds
    return filled((kinds[kindsInWords[entityType] ?? entityType] ?? terms.kinds.RECORD).count, { count })
  })
  return t('This is used by {uses} and stays.', { uses: inList(said) })
}

/** Returns the words of the console for a code; undefined for codes that no page meets. */
function wordsFor(code: ClientError['code']): string | undefined {
  return code === null ? undefined : refusals[code]
}

function describeModule(key: string | undefined, reason: string | undefined): string {
  const name =
    key === undefined ? t('The module') : t('The module {moduleNames}', { moduleNames: moduleNames[key] ?? key })
  if (reason === 'plan') return t('{name} is not in your plan.', { name })
  return t('{name} is turned off in this workspace. An administrator can turn it on in the settings.', { name })
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}

/** Returns the problems of a form by field, such as `email` or `address.city`; a problem without a field has the empty name. */
export function fieldErrors(error: unknown): Readonly<Record<string, string>> {
  const field = refusedField(error)
  if (field !== undefined) return { [field]: inPlainWords(error as ClientError) }
  const issues = error instanceof ClientError ? member(error.body, 'issues') : undefined
  if (!Array.isArray(issues)) return {}
  const entries = issues.map((issue: unknown) => {
    const path = member(issue, 'path')
    return [Array.isArray(path) ? path.join('.') : '', describeIssue(issue)] as const
  })
  return Object.fromEntries(entries.toReversed())
}

/** The messages of the API's checks that all languages have, by their beginnings; others are shown as they are. */
const issueWords: readonly (readonly [RegExp, string | undefined])[] = [
  [/^Invalid input: expected .+, received (?:undefined|null)/, t('Required')],
  [/^Too small: expected string to have >=1 /, t('Required')],
  [/^Invalid input: expected (?:number|int)/, t('Enter a number, such as 1250.50.')],
  [/^Too small/, t('Too short or too small')],
  [/^Too big/, t('Too long or too large')],
  [/^Invalid option/, t('Choose one of the options.')],
  [/^Invalid email/, t('Email must look like name@example.com.')],
  [/^A phone must start/, t('Start the phone number with + and the country code, such as +49 30 1234567.')],
  [/^Invalid /, t('Not valid')],
  [/^Expected a currency code/, refusals.INVALID_CURRENCY],
  [/^Expected .* above zero$/, t('Enter a number above zero.')],
  [/^Expected .* not below zero/, t('Enter a number that is not below zero.')],
  [/^Expected .*per ?cent/, t('Enter a percentage from 0 to 100.')],
  [/^Expected (?:a decimal number|an amount|a number)/, t('Enter a number, such as 1250.50.')],
  [/^Expected (?:a date|an ISO 8601 date)/, t('Enter a date.')],
  [/^Expected a time in the future/, t('Choose a time in the future.')],
  [/^Expected a time/, t('Enter a time, such as 09:00.')],
  [/^Expected an address that begins/, t('Start the address with https://.')],
  [/^Expected an address or a block/, t('Enter an IP address or a block of addresses, such as 192.0.2.0/24.')],
  [/^Expected a domain/, t('Enter a domain, such as example.com.')],
  [/^Expected a colour/, t('Enter a color, such as #4c6ef5.')],
  [/^Expected a letter, then/, t('Start with a letter, and use letters, digits, _ and - after it.')],
  [/^Expected at least 1 character/, t('Required')],
  [/^Expected small letters/, t('Use small letters, digits and dashes.')],
  [/^Expected a PNG/, t('Choose a PNG, JPEG or WebP picture.')],
  [/^Expected one of/, t('Choose one of the options.')],
  [/^The stage requires this field/, refusals.FIELD_REQUIRED_BY_STAGE],
]

function describeIssue(issue: unknown): string {
  const message = textMember(issue, 'message')
  if (message === undefined) return t('Not valid')
  const [, label] = /^(.+) is required$/.exec(message) ?? []
  if (label !== undefined) return t('{label} is required.', { label })
  const [, from, to] = /^Expected a year from (\d+) to (\d+)$/.exec(message) ?? []
  if (from !== undefined && to !== undefined) return t('Enter a year from {from} to {to}.', { from, to })
  const [, bound, number] = /^Too (small|big): expected (?:number|int) to be [<>]=?(-?\d+)/.exec(message) ?? []
  if (number !== undefined)
    return t(bound === 'small' ? 'Enter {number} or more.' : 'Enter {number} or less.', { number: Number(number) })
  return issueWords.find(([beginning]) => beginning.test(message))?.[1] ?? message
}

/** Says a problem of the API's checks in the language of the page; undefined for one that it has no words for. */
export function problemInWords(message: string): string | undefined {
  const words = describeIssue({ message })
  return words === message ? undefined : words
}

/** Says a code of the API in the language of the page; undefined for codes that no page meets. */
export function codeInWords(code: string | undefined): string | undefined {
  return wordsFor(code as ClientError['code'])
}

/** The field that a refusal without a field name is about. */
const refusedFields: Partial<Record<NonNullable<ClientError['code']>, string>> = {
  INVALID_CURRENCY: 'currency',
  NAME_TAKEN: 'name',
  SKU_TAKEN: 'sku',
  PARENT_CYCLE: 'parentId',
  NUMBER_IN_USE: 'nextValue',
}

/** Returns the only field that a refusal is about. */
function refusedField(error: unknown): string | undefined {
  if (!(error instanceof ClientError) || error.code === null) return undefined
  const usual = refusedFields[error.code]
  if (usual === undefined && error.code !== 'INVALID_REFERENCE') return undefined
  return textMember(member(error.body, 'details'), 'field') ?? usual
}

/** Returns the title of a page that could not be read: `absent` where the thing is not there for the person. */
export function titleOfFailure(error: unknown, absent: string): string {
  const isAbsent = error instanceof ClientError && (error.status === 403 || error.status === 404)
  return isAbsent ? absent : t('This page could not load')
}

/** Whether a failed call is a refusal with this code. */
export function isRefusedWith(error: unknown, code: ClientError['code']): boolean {
  return error instanceof ClientError && error.code === code
}

function textMember(value: unknown, name: string): string | undefined {
  const text = member(value, name)
  return typeof text === 'string' ? text : undefined
}

function member(value: unknown, name: string): unknown {
  return value !== null && typeof value === 'object' ? (value as Readonly<Record<string, unknown>>)[name] : undefined
}
