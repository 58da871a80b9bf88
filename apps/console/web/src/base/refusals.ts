import { ClientError } from '@crm/client'
import { inList, language, t } from './texts.ts'
import type { Texts } from '../texts/en.ts'

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
  SALES: t('base.sales'),
  PROJECTS: t('common.projects'),
  CATALOG: t('base.catalogue'),
  FINANCE: t('base.finance'),
  FILES: t('common.files'),
}

/** Describes a failed call in words. */
export function describeRefusal(error: unknown): Refusal {
  if (!(error instanceof ClientError))
    return {
      title: t('base.somethingWentWrong'),
      text: error instanceof Error ? error.message : t('base.thePageCouldNotBe'),
    }
  if (error.status === 0) return { title: t('base.noConnection'), text: t('base.theServiceCannotBeReached') }
  if (error.status >= 500) return describeFault(error)
  const text = textOf(error)
  return { title: titleOf(error), text, ...(text.includes(error.message) ? {} : { details: sentence(error.message) }) }
}

function describeFault(error: ClientError): Refusal {
  if (error.code === 'SCHEMA_OUT_OF_DATE')
    return { title: t('base.theAppIsUpdating'), text: t('base.theWorkspaceIsBeingUpdated') }
  const errorId = textMember(error.body, 'errorId')
  return {
    title: t('base.serverError'),
    text: t('base.messageItIsNotYour', { message: wordsFor(error.code) ?? t('base.thePageCouldNotBe') }),
    details: error.message,
    ...(errorId === undefined ? {} : { errorId }),
  }
}

function titleOf({ status, code }: ClientError): string {
  if (code === 'MODULE_DISABLED') return t('base.thisModuleIsTurnedOff')
  if (code === 'QUOTA_EXCEEDED') return t('base.aLimitOfThePlan')
  if (code === 'STORAGE_QUOTA_EXCEEDED') return t('base.theStorageOfTheWorkspace')
  if (code === 'ACCOUNT_DISABLED') return t('base.theAccountIsDisabled')
  if (code === 'REAUTHENTICATION_REQUIRED') return t('base.notConfirmed')
  if (code === 'VERSION_CONFLICT') return t('base.changedBySomeoneElse')
  if (status === 403) return t('base.youDoNotHaveAccess')
  if (status === 404) return t('base.notFound')
  if (status === 429) return t('base.tooManyRequests')
  return status === 401 ? t('base.notSignedIn') : t('base.somethingWentWrong')
}

function textOf(error: ClientError): string {
  if (error.code === 'MODULE_DISABLED')
    return describeModule(textMember(error.body, 'key'), textMember(error.body, 'reason'))
  if (error.code === 'REAUTHENTICATION_REQUIRED') return t('base.youSignedInAWhile')
  const message = inPlainWords(error)
  return error.status === 429 ? t('base.messageWaitAMomentAnd', { message }) : message
}

/** Refusals that name what only a program needs to know, such as a permission. */
const technical: readonly ClientError['code'][] = ['ACCESS_DENIED', 'ACCESS_LEVEL_NONE']

/** Says a refusal in the language of the page: the API speaks English, and says more about the case. */
function inPlainWords({ code, message, body }: ClientError): string {
  if (language === 'en' && !technical.includes(code)) return sentence(message)
  return usesInWords(body) ?? wordsFor(code) ?? (language === 'en' ? sentence(message) : t('base.notPossible'))
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
    const user = `base.users.${entityType}` as `base.users.${keyof Texts['base']['users']}`
    if (t.has(user)) return t(user, { count })
    const kind = `kinds.${kindsInWords[entityType] ?? entityType}.count` as `kinds.${keyof Texts['kinds']}.count`
    return t(t.has(kind) ? kind : 'kinds.RECORD.count', { count })
  })
  return t('base.isUsedBy', { uses: inList(said) })
}

/** Returns the words of the console for a code; undefined for codes that no page meets. */
function wordsFor(code: ClientError['code']): string | undefined {
  const key = `refusals.${code as keyof Texts['refusals']}` as const
  return code !== null && t.has(key) ? t(key) : undefined
}

function describeModule(key: string | undefined, reason: string | undefined): string {
  const name =
    key === undefined ? t('base.theModule') : t('base.theModuleModulenames', { moduleNames: moduleNames[key] ?? key })
  if (reason === 'plan') return t('base.nameIsNotPartOf', { name })
  return t('base.nameIsSwitchedOffIn', { name })
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
const issueWords: readonly (readonly [RegExp, string])[] = [
  [/^Invalid input: expected .+, received (?:undefined|null)/, t('base.required')],
  [/^Too small: expected string to have >=1 /, t('base.required')],
  [/^Invalid input: expected (?:number|int)/, t('base.numberFormat')],
  [/^Too small/, t('base.tooShort')],
  [/^Too big/, t('base.tooLong')],
  [/^Invalid option/, t('base.unknownChoice')],
  [/^Invalid email/, t('base.emailFormat')],
  [/^A phone must start/, t('base.phoneFormat')],
  [/^Invalid /, t('base.notValid')],
  [/^Expected a currency code/, t('refusals.INVALID_CURRENCY')],
  [/^Expected .* above zero$/, t('base.aboveZero')],
  [/^Expected .* not below zero/, t('base.notBelowZero')],
  [/^Expected .*per ?cent/, t('base.percentFormat')],
  [/^Expected (?:a decimal number|an amount|a number)/, t('base.numberFormat')],
  [/^Expected (?:a date|an ISO 8601 date)/, t('base.dateFormat')],
  [/^Expected a time in the future/, t('base.inTheFuture')],
  [/^Expected a time/, t('base.timeFormat')],
  [/^Expected an address that begins/, t('base.httpsFormat')],
  [/^Expected an address or a block/, t('base.networkFormat')],
  [/^Expected a domain/, t('base.domainFormat')],
  [/^Expected a colour/, t('base.colorFormat')],
  [/^Expected a letter, then/, t('base.nameFormat')],
  [/^Expected at least 1 character/, t('base.required')],
  [/^Expected small letters/, t('base.smallLetters')],
  [/^Expected a PNG/, t('base.pictureFormat')],
  [/^Expected one of/, t('base.unknownChoice')],
  [/^The stage requires this field/, t('refusals.FIELD_REQUIRED_BY_STAGE')],
]

function describeIssue(issue: unknown): string {
  const message = textMember(issue, 'message')
  if (message === undefined) return t('base.notValid')
  const [, label] = /^(.+) is required$/.exec(message) ?? []
  if (label !== undefined) return t('base.fieldIsRequired', { label })
  const [, from, to] = /^Expected a year from (\d+) to (\d+)$/.exec(message) ?? []
  if (from !== undefined && to !== undefined) return t('base.yearRange', { from, to })
  const [, bound, number] = /^Too (small|big): expected (?:number|int) to be [<>]=?(-?\d+)/.exec(message) ?? []
  if (number !== undefined) return t(bound === 'small' ? 'base.atLeast' : 'base.atMost', { number: Number(number) })
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
  return isAbsent ? absent : t('base.thisPageCouldNotLoad')
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
