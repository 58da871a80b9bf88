import { ClientError } from '@crm/client'

/** A failed call in words for people. */
export interface Refusal {
  readonly title: string
  readonly text: string
  /** The id by which an administrator finds the fault in the log. */
  readonly errorId?: string
}

const moduleNames: Readonly<Record<string, string>> = {
  SALES: 'Sales',
  PROJECTS: 'Projects',
  CATALOG: 'Catalogue',
  FINANCE: 'Finance',
  FILES: 'Files',
}

/** Describes a failed call in words. */
export function describeRefusal(error: unknown): Refusal {
  if (!(error instanceof ClientError))
    return {
      title: 'Something went wrong',
      text: error instanceof Error ? error.message : 'The page could not be shown.',
    }
  if (error.status === 0)
    return { title: 'No connection', text: 'The service cannot be reached. Check your connection and try again.' }
  if (error.status >= 500) return describeFault(error)
  return { title: titleOf(error), text: textOf(error) }
}

function describeFault(error: ClientError): Refusal {
  if (error.code === 'SCHEMA_OUT_OF_DATE')
    return { title: 'Being updated', text: 'The workspace is being updated. It will be back in a moment.' }
  const errorId = textMember(error.body, 'errorId')
  return {
    title: 'The service has a problem',
    text: `${error.message}. It is not your fault; try again in a moment.`,
    ...(errorId === undefined ? {} : { errorId }),
  }
}

function titleOf({ status, code }: ClientError): string {
  if (code === 'MODULE_DISABLED') return 'This part is switched off'
  if (code === 'QUOTA_EXCEEDED') return 'A limit of the plan is reached'
  if (code === 'STORAGE_QUOTA_EXCEEDED') return 'The storage of the workspace is full'
  if (code === 'ACCOUNT_DISABLED') return 'The account is disabled'
  if (code === 'REAUTHENTICATION_REQUIRED') return 'Not confirmed'
  if (code === 'VERSION_CONFLICT') return 'Changed by someone else'
  if (status === 403) return 'Not allowed'
  if (status === 404) return 'Not found'
  if (status === 429) return 'Too many requests'
  return status === 401 ? 'Not signed in' : 'That did not work'
}

function textOf(error: ClientError): string {
  if (error.code === 'MODULE_DISABLED')
    return describeModule(textMember(error.body, 'key'), textMember(error.body, 'reason'))
  if (error.code === 'ACCESS_DENIED' || error.code === 'ACCESS_LEVEL_NONE')
    return `${sentence(error.message)} An administrator can give your role this right.`
  if (error.code === 'REAUTHENTICATION_REQUIRED')
    return 'You signed in a while ago, and this needs a confirmation that it is you. Nothing was changed.'
  if (error.status === 429) return `${sentence(error.message)} Wait a moment and try again.`
  return sentence(error.message)
}

function describeModule(key: string | undefined, reason: string | undefined): string {
  const name = key === undefined ? 'The module' : `The module ${moduleNames[key] ?? key}`
  if (reason === 'plan') return `${name} is not part of the plan of this workspace.`
  return `${name} is switched off in this workspace. An administrator can switch it on in the workspace settings.`
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}

/** Returns the problems of a form by field, such as `email` or `address.city`; a problem without a field has the empty name. */
export function fieldErrors(error: unknown): Readonly<Record<string, string>> {
  const field = refusedField(error)
  if (field !== undefined) return { [field]: sentence((error as ClientError).message) }
  const issues = error instanceof ClientError ? member(error.body, 'issues') : undefined
  if (!Array.isArray(issues)) return {}
  const entries = issues.map((issue: unknown) => {
    const path = member(issue, 'path')
    return [Array.isArray(path) ? path.join('.') : '', textMember(issue, 'message') ?? 'Not valid'] as const
  })
  return Object.fromEntries(entries.toReversed())
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
