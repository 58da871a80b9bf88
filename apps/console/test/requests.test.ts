import { expect, it } from 'vitest'
import { startInstallation } from './installation.ts'
import { openPages } from './pages.ts'

const installation = await startInstallation()
const { loaded } = await openPages(installation)

const create = async (path: string, body: unknown) =>
  ((await installation.call('POST', path, body)) as { data: { id: string } }).data.id

const companyId = await create('/api/companies', { name: 'Analytical Engines' })
const contactId = await create('/api/contacts', { lastName: 'King', companyId })
const [dealId] = await Promise.all(
  ['Lighthouse', 'Harbour'].map(async (name) => {
    const id = await create('/api/deals', { name, amount: '1500', companyId, contactId })
    await create('/api/quotes', { companyId, dealId: id, items: [{ name: 'Lamp', unitPrice: '10' }] })
    return id
  }),
)
await create('/api/leads', { lastName: 'Newcomer' })

/** What stands beside the content of a page is asked together; each of these asked for each part by itself before. */
const readsMax = 11

it.each([
  ['/', 'Home'],
  ['/deals', 'Deals'],
  ['/leads', 'Leads'],
  [`/deals/${dealId}`, 'Lighthouse'],
  [`/contacts/${contactId}`, 'King'],
  [`/companies/${companyId}`, 'Analytical Engines'],
])('%s is shown by a few requests', async (path, title) => {
  const page = await loaded('/settings/profile', { viewport: { width: 1440, height: 900 } })
  let asked: string[] = []
  page.on('framenavigated', (frame) => {
    // What the page before still asked for is not of this one.
    if (frame === page.mainFrame()) asked = []
  })
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    // Streams stay open, and that somebody is here is told, not asked.
    if (pathname.startsWith('/api/') && request.resourceType() !== 'eventsource' && request.method() !== 'PUT')
      asked.push(`${request.method()} ${pathname}`)
  })
  await page.goto(path)
  await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor()
  await page.waitForLoadState('networkidle')
  await expect.poll(() => page.locator('main .mantine-Skeleton-root').count()).toBe(0)
  // A change that arrives meanwhile has the same read once more, whenever it comes.
  const reads = asked.filter((one, at) => !one.startsWith('GET') || asked.indexOf(one) === at)
  expect(reads.length, asked.join('\n')).toBeLessThanOrEqual(readsMax)
  expect(reads.length).toBeGreaterThan(3)
})
