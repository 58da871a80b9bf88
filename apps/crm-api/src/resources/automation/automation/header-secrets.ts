import { hiddenValue, omittedHeaders, type RuleAction, type WorkflowStep, type WorkflowTrigger } from '@crm/contract'
import { ApiError, type Issue } from '@crm/errors'

/** The parts of a stored request that tell its target and its headers. */
interface WithHeaders {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

type Path = readonly (string | number)[]

const masked = (value: string): string => (value === '' ? '' : hiddenValue)

/** Returns a request in its shown form: the names of its headers without the values, which are often secrets of other systems. */
export function hideHeaders<T extends { readonly headers?: unknown }>(request: T): T {
  const { headers } = request
  if (headers === null || typeof headers !== 'object') return request
  return {
    ...request,
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        name,
        name.toLowerCase() === 'content-type' ? value : masked(String(value)),
      ]),
    ),
  }
}

/** Returns steps in their shown form, forks included. */
export function hideSteps(steps: readonly Readonly<Record<string, unknown>>[]): Record<string, unknown>[] {
  const inside = (branch: unknown): unknown =>
    Array.isArray(branch) ? hideSteps(branch as Record<string, unknown>[]) : branch
  return steps.map((step) =>
    step['type'] === 'CONDITION'
      ? { ...step, then: inside(step['then']), else: inside(step['else']) }
      : hideHeaders(step),
  )
}

/** Returns a trigger in its shown form. */
export function hideTrigger(trigger: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const auth = trigger['headerAuth'] as { readonly name: string; readonly value: string } | null | undefined
  return auth ? { ...trigger, headerAuth: { ...auth, value: masked(auth.value) } } : { ...trigger }
}

/** Returns the actions of a rule with the stored values of headers that were sent back in their shown form. */
export function keepActions(next: readonly RuleAction[], stored: readonly RuleAction[]): RuleAction[] {
  const issues: Issue[] = []
  const kept = next.map((action, index) => ({
    ...action,
    headers: keepHeaders(action, [stored[index], ...stored], ['actions', index], issues),
  }))
  refuse(issues)
  return kept
}

/** Returns the steps of a workflow with their stored header values; a step is matched by its key. */
export function keepSteps(next: readonly WorkflowStep[], stored: readonly WorkflowStep[]): WorkflowStep[] {
  const earlier = new Map(requestsIn(stored))
  const issues: Issue[] = []
  const keep = (steps: readonly WorkflowStep[], path: Path): WorkflowStep[] =>
    steps.map((step, index) => {
      const at = [...path, index]
      if (step.type === 'HTTP_REQUEST')
        return { ...step, headers: keepHeaders(step, [earlier.get(step.key)], at, issues) }
      return step.type === 'CONDITION'
        ? { ...step, then: keep(step.then, [...at, 'then']), else: keep(step.else, [...at, 'else']) }
        : step
    })
  const kept = keep(next, ['steps'])
  refuse(issues)
  return kept
}

/** Returns the trigger of a workflow with its stored header values. */
export function keepTrigger(next: WorkflowTrigger, stored: WorkflowTrigger | undefined): WorkflowTrigger {
  if (next.type !== 'WEBHOOK' || !next.headerAuth || next.headerAuth.value !== hiddenValue) return next
  const value = stored?.type === 'WEBHOOK' ? stored.headerAuth?.value : undefined
  if (value === undefined) refuse([{ path: ['trigger', 'headerAuth', 'value'], message: notKept }])
  return { ...next, headerAuth: { ...next.headerAuth, value: value ?? '' } }
}

const notKept = 'No value is kept for this header and address; give it anew'

/** Keeps header values only for the host for which they were stored: to send them to another host, the caller must know them. */
function keepHeaders(
  next: WithHeaders,
  stored: readonly (WithHeaders | undefined)[],
  path: Path,
  issues: Issue[],
): Record<string, string> {
  const earlier = stored.find((one) => one && originOf(one.url) === originOf(next.url))?.headers ?? {}
  if (next.headers === omittedHeaders) return { ...earlier }
  const values = new Map(Object.entries(earlier).map(([name, value]) => [name.toLowerCase(), value]))
  return Object.fromEntries(
    Object.entries(next.headers).map(([name, value]) => {
      if (value !== hiddenValue) return [name, value]
      const known = values.get(name.toLowerCase())
      if (known === undefined) issues.push({ path: [...path, 'headers', name], message: notKept })
      return [name, known ?? '']
    }),
  )
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url
}

function requestsIn(steps: readonly WorkflowStep[]): [string, WithHeaders][] {
  return steps.flatMap((step): [string, WithHeaders][] => {
    if (step.type === 'CONDITION') return requestsIn([...step.then, ...step.else])
    return step.type === 'HTTP_REQUEST' ? [[step.key, step]] : []
  })
}

function refuse(issues: readonly Issue[]): void {
  if (issues.length > 0) throw new ApiError('VALIDATION_ERROR', { issues: [...issues] })
}
