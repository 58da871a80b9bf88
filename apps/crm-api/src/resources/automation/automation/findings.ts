import type { Issue } from '@crm/errors'
import { ApiError } from '@crm/errors'
import { ADDRESS_REFUSED, checkOutbound, judgeAddress, type AddressResolver, type OutboundBody } from '@crm/egress'
import {
  compileTemplate,
  compileValue,
  isPath,
  TemplateError,
  variables,
  type Compiled,
  type JsonValue,
} from '@crm/templates'

export type Path = readonly (string | number)[]

/** A finding that does not stop a workflow or rule from working. */
export interface Warning {
  readonly path: (string | number)[]
  readonly message: string
}

/** The findings of the checks of a save. */
export interface Findings {
  readonly issues: Issue[]
  readonly warnings: Warning[]
}

/** Returns whether a template may read a path; any other path becomes null when the template is filled. */
export type Knows = (variable: string) => boolean

/** Refuses a save when the checks found an issue. */
export function refuseIssues({ issues }: Findings): void {
  if (issues.length > 0) throw new ApiError('VALIDATION_ERROR', { issues })
}

/** An outbound request as it is configured. */
export interface OutboundConfigured {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly bodyTemplate?: string | null
  readonly body?: OutboundBody | undefined
}

/** Checks a configured request without asking the network. */
export function findInRequest(
  found: Findings,
  path: Path,
  request: OutboundConfigured,
  knows: Knows,
  allowCidrs: readonly string[],
): void {
  const { url, method, headers, bodyTemplate, body } = request
  if (url.includes('{{'))
    found.issues.push({ path: [...path, 'url'], message: 'The URL cannot hold variables; put them into the body.' })
  for (const problem of checkOutbound({ url, method, headers }, { allowCidrs }))
    found.issues.push({ path: [...path, ...problem.path], message: problem.message })
  if (body === 'TEMPLATE' && !bodyTemplate)
    found.issues.push({ path: [...path, 'bodyTemplate'], message: 'Write the template that is to be sent.' })
  if (bodyTemplate) findInTemplate(found, [...path, 'bodyTemplate'], () => compileTemplate(bodyTemplate), knows)
}

/** Checks values whose texts may hold variables. */
export function findInValues(found: Findings, path: Path, values: unknown, knows: Knows): void {
  findInTemplate(found, path, () => compileValue(values as JsonValue), knows)
}

/** Checks the fields of conditions. */
export function findInConditions(
  found: Findings,
  path: Path,
  conditions: readonly { readonly field: string; readonly op: string; readonly value: unknown }[],
  knows: Knows,
): void {
  for (const [index, { field, op, value }] of conditions.entries()) {
    if (!isPath(field))
      found.issues.push({ path: [...path, index, 'field'], message: 'Expected a path such as trigger.kind' })
    else if (!knows(field)) found.warnings.push(unknownData([...path, index, 'field'], field))
    if (op === 'IN' && !Array.isArray(value))
      found.issues.push({ path: [...path, index, 'value'], message: 'Expected a list for IN' })
  }
}

const unknownData = (path: Path, name: string): Warning => ({
  path: [...path],
  message: `Nothing is known under {{${name}}}`,
})

function findInTemplate(found: Findings, path: Path, compile: () => Compiled, knows: Knows): void {
  try {
    for (const variable of variables(compile())) {
      if (!knows(variable)) found.warnings.push(unknownData(path, variable))
    }
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    const { position } = error
    const where = position ? ` (line ${position.line}, column ${position.column})` : ''
    found.issues.push({ path: [...path, ...error.path], message: error.message + where, code: 'TEMPLATE_INVALID' })
  }
}

const lookUpMs = 2_000

/** The addresses that automation may reach, and the resolver of names. */
export interface Outbound {
  readonly allowCidrs: readonly string[]
  readonly resolver?: AddressResolver | undefined
}

/**
 * Looks up the hosts of configured requests: a private address is an issue, a name without an address a warning.
 *
 * When a request is sent, its address is checked again.
 */
export async function findAddresses(
  found: Findings,
  requests: readonly { readonly path: Path; readonly url: string }[],
  { allowCidrs, resolver }: Outbound,
): Promise<void> {
  const judged = requests.map(async ({ path, url }) => ({
    path: [...path, 'url'],
    judgement: await judgeAddress(url, { allowCidrs, timeoutMs: lookUpMs, ...(resolver ? { resolver } : {}) }),
  }))
  for (const { path, judgement } of await Promise.all(judged)) {
    if (judgement === 'refused') found.issues.push({ path, message: ADDRESS_REFUSED })
    if (judgement === 'unknown') found.warnings.push({ path, message: 'No address was found for this host' })
  }
}
