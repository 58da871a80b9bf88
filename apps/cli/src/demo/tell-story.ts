import { compactCounts } from '@crm/db'
import { kindEntities } from '@crm/model'
import { addActivities } from './activities.ts'
import { addAutomation, type DemoHook } from './automation.ts'
import { addBookings } from './bookings.ts'
import { addCatalogue } from './catalogue.ts'
import { addCommerce } from './commerce.ts'
import { addFiles } from './files.ts'
import { addLetters } from './letters.ts'
import { addPriceLists } from './price-lists.ts'
import { addCustomers, addDeals, addLeads } from './sales.ts'
import { addSetting } from './setting.ts'
import type { Story } from './story.ts'
import { addTalk } from './talk.ts'
import { addVehicles } from './vehicles.ts'
import { addWork } from './work.ts'

/**
 * Fills the demo workspace with believable records: sales, people, work, products, orders, invoices, meetings, files and
 * automation, with their history. Returns the address of its webhook.
 */
export async function tellStory(story: Story): Promise<DemoHook> {
  const { tx, workspaceId, history } = story
  await addSetting(story)
  const leads = await addLeads(story)
  const customers = await addCustomers(story)
  const deals = await addDeals(story, customers)
  await addActivities(story, leads, deals)
  const tasks = await addWork(story, leads, deals)
  const products = await addCatalogue(story)
  await addPriceLists(story, products, customers)
  await addCommerce(story, deals, products)
  await addTalk(story)
  await addVehicles(story)
  await addLetters(story, deals)
  await addFiles(story, leads, deals, tasks)
  await addBookings(story, leads)
  const hook = await addAutomation(story, leads)
  await history.write(tx, workspaceId)
  for (const entityType of [...kindEntities, 'VEHICLE']) await compactCounts(tx, workspaceId, entityType)
  return hook
}
