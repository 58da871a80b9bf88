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

it('asks for amounts in their own currencies together with the converted ones, once an exchange rate was missing', async () => {
  await create('/api/deals', { name: 'Abroad', amount: '900', currency: 'USD' })
  const page = await loaded('/settings/profile', { viewport: { width: 1440, height: 900 } })
  const isSummary = (text: string) => text.includes('/api/deals/summary')
  /** The questions about deals that are asked before the first of them is answered. */
  let asked: string[] = []
  let isAnswered = false
  const questionsOf = (request: { url(): string; postData(): string | null }): string[] => {
    const reads = (JSON.parse(request.postData() ?? '{}') as { reads?: readonly { path: string }[] }).reads
    return (reads?.map(({ path }) => path) ?? [request.url()]).filter(isSummary)
  }
  page.on('request', (request) => {
    if (!isAnswered && request.resourceType() !== 'eventsource') asked.push(...questionsOf(request))
  })
  page.on('response', (response) => {
    if (questionsOf(response.request()).length > 0) isAnswered = true
  })
  const askedAtOnce = async () => {
    ;[asked, isAnswered] = [[], false]
    await page.goto('/dashboards')
    await page.getByRole('region', { name: 'Pipeline by stage' }).getByText('$').first().waitFor()
    const converted = asked.filter((question) => question.includes('convertTo'))
    const plain = asked.filter((question) => question.includes('amount') && !question.includes('convertTo'))
    return { converted: converted.length > 0, plain: plain.length > 0 }
  }
  expect(await askedAtOnce()).toEqual({ converted: true, plain: false })
  expect(await askedAtOnce()).toEqual({ converted: true, plain: true })
})
