import { newId } from '@crm/db'

/** What a change is made of for a test. */
export interface SampleFacts {
  readonly tenantId: string
  /** ISO 8601. */
  readonly at: string
  /** The record; undefined: a sample of one. */
  readonly data: Readonly<Record<string, unknown>> | undefined
}

/** A change as the dispatcher would tell it (docs/guide/webhooks.md). */
export function sampleChange(event: string, { tenantId, at, data = sampleRecord(at) }: SampleFacts) {
  const entityId = typeof data['id'] === 'string' ? data['id'] : null
  return { event, entityType: (event.split('.')[0] ?? '').toUpperCase(), entityId, tenantId, timestamp: at, data }
}

/** The members that records of most kinds have. */
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
