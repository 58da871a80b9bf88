import {
  objectsWithFindings,
  hiddenValueOf,
  partsOf,
  reachCheckId,
  reachEffects,
  type DeclaredOperation,
  type ReachDeclaration,
  type ReachEffect,
  type RevealedObject,
} from '@crm/contract'
import { ApiError } from '@crm/errors'
import { z } from 'zod'
import type { AnyPorts, Exchange, ReachChecks } from './exchange.ts'
import type { Finish } from './reply-writer.ts'

/** Does the work of a request within the effects on reach that its operation declares. */
export function withinReach<T>(
  exchange: Exchange,
  ports: AnyPorts,
  work: (tx?: unknown) => Promise<T>,
  running?: unknown,
): Promise<T> {
  const { reveals: _shown, ...checks } = checksOf(exchange, ports)
  const isChecked = Object.keys(checks).length > 0
  return isChecked && ports.guardReach ? ports.guardReach(exchange, checks, work, running) : work(running)
}

/** Hides findings of another person's reach in an answer, unless the caller may see all of them. */
export function hiderOf(exchange: Exchange, ports: AnyPorts, running: unknown): Finish | undefined {
  const { reveals } = checksOf(exchange, ports)
  if (!reveals) return undefined
  const schemas = new Set(objectsWithFindings(exchange.declared.operation.reply.body))
  return async (write) => {
    const shown: { readonly id: string; readonly hide: () => void }[] = []
    const written = write((schema, object) => {
      if (!schemas.has(schema)) return
      const { id } = object
      shown.push({ id: typeof id === 'string' ? id : idOf(exchange), hide: () => hide(schema, object) })
    })
    const seen = await seenOf(exchange, ports, reveals, [...new Set(shown.map(({ id }) => id))], running)
    for (const { id, hide: hideIt } of shown) if (!seen.has(id)) hideIt()
    return written
  }
}

/** Refuses a file with content that the caller may not see. */
export async function refuseHiddenFile(exchange: Exchange, ports: AnyPorts): Promise<void> {
  const { reveals } = checksOf(exchange, ports)
  if (!reveals) return
  const id = idOf(exchange)
  if (!(await seenOf(exchange, ports, reveals, [id])).has(id))
    throw new ApiError('ACCESS_DENIED', { message: 'This holds records that you may not see' })
}

function seenOf(
  exchange: Exchange,
  { seen }: AnyPorts,
  object: RevealedObject,
  ids: readonly string[],
  running?: unknown,
): Promise<ReadonlySet<string>> {
  if (!seen) throw new Error('Nobody knows what the caller may see')
  return seen(exchange, object, ids, running)
}

function hide(schema: z.ZodType, written: unknown): void {
  if (schema instanceof z.ZodObject) {
    const object = written as Record<string, unknown>
    for (const [key, part] of Object.entries(schema.shape) as [string, z.ZodType][]) {
      const hidden = hiddenValueOf(part)
      if (hidden) object[key] = hidden.value
      else if (object[key]) hide(part, object[key])
    }
  } else
    for (const part of partsOf(schema))
      for (const value of Array.isArray(written) ? written : [written]) if (value) hide(part, value)
}

function idOf({ input }: Exchange): string {
  return String((input.params as { readonly id?: unknown } | undefined)?.id)
}

/** Refuses to serve operations whose checks no guard performs. */
export function requireReachGuard({ title, operation }: DeclaredOperation, ports: AnyPorts): void {
  const { reach = 'none' } = operation
  if (reach !== 'none' && !(ports.guardReach && ports.seen))
    throw new Error(`${title} does something to reach, and nothing guards it`)
}

function checksOf({ declared, input, recognition }: Exchange, { uncheckedReach }: AnyPorts): ReachChecks {
  const { reach = 'none' } = declared.operation
  if (reach === 'none' || !recognition.caller || !concerns(reach, input.body)) return {}
  const isChecked = (effect: ReachEffect): boolean =>
    reach[effect] !== undefined && !uncheckedReach?.has(reachCheckId(declared, effect))
  return Object.fromEntries(reachEffects.filter(isChecked).map((effect) => [effect, reach[effect]]))
}

function concerns({ when, unless }: Exclude<ReachDeclaration, 'none'>, body: unknown): boolean {
  const hasOneOf = (fields: readonly string[]): boolean =>
    typeof body === 'object' && body !== null && fields.some((field) => field in body)
  return (when === undefined || hasOneOf(when)) && !(unless !== undefined && hasOneOf(unless))
}
