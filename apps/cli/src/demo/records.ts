import { kindEntities, lead } from '@crm/model'
import { compactCounts, createPipeline, type Executor } from '@crm/db'
import { addActivities } from './activities.ts'
import { addBookings } from './bookings.ts'
import { addProducts } from './catalogue.ts'
import { addCommerce } from './commerce.ts'
import { addCustomFields } from './custom-fields.ts'
import { addCustomers, addDeals } from './customers.ts'
import { addFiles } from './files.ts'
import { createHistory } from './history.ts'
import { addLeads, type DemoLead } from './leads.ts'
import { addLetters } from './letters.ts'
import { describeOrganization } from './organization.ts'
import type { Place } from './place.ts'
import { addPriceLists } from './price-lists.ts'
import type { Shelf } from './shelf.ts'
import { addTalk } from './talk.ts'
import { addTemplates } from './templates.ts'
import { addVehicles } from './vehicles.ts'
import { addWork } from './work.ts'

/**
 * Fills the demo workspace with believable records and returns the leads. The records are sales, people, work,
 * products, orders, invoices, meetings and files, with their history.
 */
export async function addRecords(tx: Executor, place: Place, shelf: Shelf): Promise<DemoLead[]> {
  const { workspaceId, adminId } = place
  await createPipeline(tx, workspaceId, lead.entity, 'Partnerships', false, [
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
  const tasks = await addWork(tx, place, { leads, deals }, history)
  const products = await addProducts(tx, place, shelf, history)
  await addPriceLists(tx, place, products, customers, history)
  await addCommerce(tx, place, deals, products, history)
  await addTalk(tx, place)
  await addVehicles(tx, place, history)
  const templates = await addTemplates(tx, place, history)
  await addLetters(tx, place, shelf, templates, deals, history)
  await addFiles(tx, place, shelf, { leads, deals, tasks }, history)
  await addBookings(tx, place, leads, history)
  await history.write(tx, workspaceId)
  for (const entityType of [...kindEntities, 'VEHICLE']) await compactCounts(tx, workspaceId, entityType)
  return leads
}
