import { errorCodes, type ErrorDefinition } from '@crm/errors'
import { pageHead, table } from './table.ts'

/** Returns the page of every stable error code with its status and extra fields. */
export function errorsPage(): string {
  const rows = Object.entries(errorCodes as Readonly<Record<string, ErrorDefinition>>)
    .toSorted(([, a], [, b]) => a.status - b.status)
    .map(([code, { status, text, details, extra }]) => [
      String(status),
      `\`${code}\``,
      text,
      [...detailFields(details), ...(extra ?? [])].map((field) => `\`${field}\``).join(', '),
    ])
  return `${pageHead(
    'Error codes',
    'A refusal is `{ error, code, … }`; the booking API wraps it as `{ success: false, error: { code, message } }`. Act on `code`: it is\nstable, the text is not. There `MODULE_DISABLED` has status 404. A body that is not JSON is 400 without a code.',
  )}\n${table(['status', 'code', 'usual text', 'further fields'], rows)}\n`
}

function detailFields(details: ErrorDefinition['details']): readonly string[] {
  return details && 'shape' in details ? Object.keys(details.shape as object).map((name) => `details.${name}`) : []
}
