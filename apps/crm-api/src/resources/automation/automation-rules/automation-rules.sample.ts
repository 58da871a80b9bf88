import { newId } from '@crm/db'

/** The facts from which a sample change is made for a test. */
export interface SampleFacts {
  readonly tenantId: string
  /** ISO 8601. */
  readonly at: string
  /** The record; undefined: a sample record. */
  readonly data: Readonly<Record<string, unknown>> | undefined
}

/** Returns a change in the form of the dispatcher (docs/guide/webhooks.md). */
export function sampleChange(event: string, { tenantId, at, data = sampleRecord(at) }: SampleFacts) {
  const entityId = typeof data['id'] === 'string' ? data['id'] : null
  return { event, entityType: (event.split('.')[0] ?? '').toUpperCase(), entityId, tenantId, timestamp: at, data }
}

/** Returns the members that records of most kinds have. */
function sampleRecord(at: string): Readonly<Record<string, unknown>> {
  return {
    id: newId(),
    name: 'Sample',
    firstName: 'Ada',
    lastName: 'Lovelace',
    companyName: 'Analytical Engines',
    email: 'ada@example.com',
    phone: '+15550100',
    status: 'NEW',
    createdAt: at,
    updatedAt: at,
  }
}
