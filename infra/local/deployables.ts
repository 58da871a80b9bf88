import type { DatabaseRole } from './roles.ts'

export interface Deployable {
  /** As in infra/routes.json. */
  readonly name: string
  /** Its entry, seen from the root. */
  readonly mainFile: string
  /** Its PostgreSQL role; one without a role gets no database. */
  readonly role: DatabaseRole | undefined
}

/** Everything that runs behind the edge. */
export const deployables: readonly Deployable[] = [
  { name: 'crm-api', mainFile: 'apps/crm-api/src/main.ts', role: 'crm_api' },
  { name: 'booking', mainFile: 'apps/booking/src/main.ts', role: 'crm_booking' },
  { name: 'webhooks', mainFile: 'apps/webhooks/src/main-ingress.ts', role: 'crm_hooks' },
  { name: 'webhooks-dispatcher', mainFile: 'apps/webhooks/src/main-dispatcher.ts', role: 'crm_dispatcher' },
  { name: 'mcp-gateway', mainFile: 'apps/mcp-gateway/src/main.ts', role: 'crm_gateway' },
  { name: 'console', mainFile: 'apps/console/src/main.ts', role: undefined },
]
