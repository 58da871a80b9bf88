import { schema, type Executor } from '@crm/db'

/** Sets the name and address of the demo company, for the heads of its documents. */
export async function describeOrganization(tx: Executor, workspaceId: string): Promise<void> {
  const about = {
    legalName: 'Demo Company GmbH',
    taxId: 'DE000000000',
    registrationNumber: 'HRB 00000',
    email: 'hello@demo.test',
    phone: '+4930123456',
    website: 'https://demo.test',
    address: { line1: 'Beispielstraße 12', city: 'Berlin', postalCode: '10115', country: 'DE' },
    bankDetails: 'IBAN DE00 0000 0000 0000 0000 00',
  }
  await tx
    .insert(schema.organizations)
    .values({ workspaceId, ...about })
    .onConflictDoUpdate({ target: schema.organizations.workspaceId, set: about })
}
