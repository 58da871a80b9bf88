import { checkedEffects, reachCheckId, type DeclaredOperation } from '@crm/contract'
import type { AnyPorts, Exchange, ReachChecks } from './exchange.ts'

/** Does the work of a request within what its operation declares that it does to reach. */
export function withinReach<T>(
  exchange: Exchange,
  ports: AnyPorts,
  running: unknown,
  work: (tx?: unknown) => Promise<T>,
): Promise<T> {
  const checks = checksOf(exchange, ports)
  return checks && ports.guardReach ? ports.guardReach(exchange, checks, work, running) : work(running)
}

/** Refuses to serve operations whose checks nobody would do. */
export function requireReachGuard({ title, operation }: DeclaredOperation, ports: AnyPorts): void {
  const { reach = 'none' } = operation
  if (reach !== 'none' && !ports.guardReach) throw new Error(`${title} does something to reach, and nothing guards it`)
}

function checksOf({ declared, input, recognition }: Exchange, { uncheckedReach }: AnyPorts): ReachChecks | null {
  const { reach = 'none' } = declared.operation
  if (reach === 'none' || !recognition.caller || !concerns(reach.when, input.body)) return null
  const checked = checkedEffects.filter(
    (effect) => reach[effect] && !uncheckedReach?.has(reachCheckId(declared, effect)),
  )
  return checked.length === 0 ? null : Object.fromEntries(checked.map((effect) => [effect, reach[effect]]))
}

function concerns(fields: readonly string[] | undefined, body: unknown): boolean {
  return fields === undefined || (typeof body === 'object' && body !== null && fields.some((field) => field in body))
}
