import { compactCounts, createPipeline, type Executor } from '@crm/db'
import { addActivities } from './activities.ts'
import { addCommerce } from './commerce.ts'
import { addCustomFields } from './custom-fields.ts'
import { addCustomers, addDeals } from './customers.ts'
import { createHistory } from './history.ts'
import { addLeads } from './leads.ts'
import { describeOrganization } from './organization.ts'
import type { Place } from './place.ts'
import { addTalk } from './talk.ts'
import { addTemplates } from './templates.ts'
import { addVehicles } from './vehicles.ts'
import { addWork } from './work.ts'

/** Fills the demo workspace with believable records: sales, people, work, what is sold and billed, and what has happened with them. */
export async function addRecords(tx: Executor, place: Place): Promise<void> {
  const { workspaceId, adminId } = place
  await createPipeline(tx, workspaceId, 'LEAD', 'Partnerships', false, [
    { name: 'Idea', mappedStatus: 'NEW', color: '#7048e8' },
    { name: 'Talks', mappedStatus: 'IN_PROGRESS', color: '#1c7ed6' },
    { name: 'Agreed', mappedStatus: 'QUALIFIED', color: '#37b24d' },
    { name: 'Partner', type: 'WON', mappedStatus: 'CONVERTED', color: '#2b8a3e' },
    { name: 'No fit', type: 'LOST', mappedStatus: 'UNQUALIFIED', color: '#868e96' },
  ])
  await describeOrganization(tx, workspaceId)
  await addCustomFields(tx, workspaceId, adminId)
  const history = createHistory()
  const leads = await addLeads(tx, place, history)
  const customers = await addCustomers(tx, place, history)
  const deals = await addDeals(tx, place, customers, history)
  await addActivities(tx, place, { leads, deals }, history)
  await addWork(tx, place, { leads, deals }, history)
  await addCommerce(tx, place, deals, history)
  await addTalk(tx, place)
  await addVehicles(tx, place, history)
  await addTemplates(tx, place, history)
  await history.write(tx, workspaceId)
  for (const entityType of ['LEAD', 'CONTACT', 'COMPANY', 'DEAL', 'ACTIVITY', 'TASK', 'PROJECT', 'PRODUCT', 'QUOTE', 'INVOICE', 'VEHICLE', 'DOCUMENT']) await compactCounts(tx, workspaceId, entityType)
}
