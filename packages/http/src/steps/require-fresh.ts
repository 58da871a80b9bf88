import type { DeclaredOperation } from '@crm/contract'
import { ApiError } from '@crm/errors'
import type { AnyPorts, Exchange, Step } from '../exchange.ts'

/** Refuses what needs a freshly authenticated session, before the body is read (docs/decisions/freshness.md). */
export const requireFresh: Step = (exchange, ports) => {
  if (exchange.declared.operation.fresh === true) refuseStale(exchange, ports)
}

/** Refuses requests that need one only because of a field in their body. */
export const requireFreshForFields: Step = (exchange, ports) => {
  const { fresh } = exchange.declared.operation
  const { body } = exchange.input
  if (typeof fresh !== 'object' || typeof body !== 'object' || body === null) return
  if (fresh.when.some((field) => field in body)) refuseStale(exchange, ports)
}

function refuseStale({ recognition: { caller } }: Exchange, { isFresh }: AnyPorts): void {
  if (caller && !isFresh?.(caller)) throw new ApiError('REAUTHENTICATION_REQUIRED')
}

/** Refuses to serve operations whose sessions nobody could check. */
export function requireFreshGuard({ title, operation }: DeclaredOperation, ports: AnyPorts): void {
  if (operation.fresh !== undefined && !ports.isFresh)
    throw new Error(`${title} needs fresh sessions, and nothing knows them`)
}
