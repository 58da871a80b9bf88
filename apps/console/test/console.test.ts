import { testPassword } from '@crm/testkit'
import { describe, expect, it } from 'vitest'
import { expectNames } from './barriers.ts'
import { startInstallation } from './installation.ts'
import { openPages, type Page } from './pages.ts'

const installation = await startInstallation()
const { open: openPage, signedIn } = await openPages(installation)

const { data: ada } = (await installation.call('POST', '/api/leads', {
  firstName: 'Ada',
  lastName: 'King',
  companyName: 'Analytical Engines',
  email: 'ada@engines.example',
})) as { data: { id: string } }
const adaId = ada.id
await installation.call('PATCH', `/api/leads/${adaId}`, { status: 'QUALIFIED', phone: '+4930901820' })
await Promise.all(
  Array.from({ length: 24 }, (_, at) =>
    installation.call('POST', '/api/leads', { firstName: 'Guest', lastName: `Number ${at}`, temperature: 'COLD' }),
  ),
)

const rows = (page: Page) => page.getByRole('grid', { name: 'Leads' }).locator('tbody').getByRole('row')

describe('signing in', () => {
  it('says that the password is wrong, and leads to the page that was asked for', async () => {
    const page = await openPage()
    await page.goto('/leads?status=QUALIFIED')
    await page.getByLabel('Email').fill(installation.workspace.adminEmail)
    await page.getByLabel('Password', { exact: true }).fill('not the password')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('alert').getByText('The email address or the password is wrong').waitFor()
    await page.getByLabel('Password', { exact: true }).fill(testPassword)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Leads', level: 1 }).waitFor()
    await page.getByRole('list', { name: 'Filters' }).getByText('Status is Qualified').waitFor()
    await rows(page).first().waitFor()
    await expect.poll(() => rows(page).count()).toBe(1)
  })

  it('ends with the session, wherever it was ended', async () => {
    const page = await signedIn('/settings/security')
    await page.getByRole('table', { name: 'Sessions' }).waitFor()
    await page.context().clearCookies()
    await page.getByRole('link', { name: 'API keys' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await expect.poll(() => new URL(page.url()).searchParams.get('next')).toBe('/settings/api-keys')
  })

  it('leads no further than the rights of the person', async () => {
    const reader = await installation.workspace.employee({ roles: ['Read only'] })
    const page = await signedIn('/leads', { as: reader })
    await rows(page).first().waitFor()
    const navigation = page.getByRole('navigation', { name: 'Main' })
    await expect
      .poll(() => navigation.getByRole('link').allTextContents())
      .toEqual([
        'Home',
        'Inbox',
        'Tasks',
        'Calendar',
        'Leads',
        'Deals',
        'Contacts',
        'Companies',
        'Dashboards',
        'Settings',
      ])
    await navigation.getByRole('button', { name: 'Finance' }).click()
    await navigation.getByRole('link', { name: 'Price lists' }).waitFor()
    await navigation.getByRole('link', { name: 'Settings' }).click()
    const inSettings = page.getByRole('navigation', { name: 'Settings' })
    await expect
      .poll(() => inSettings.getByRole('link').allTextContents())
      .toEqual([
        'Back to app',
        'Profile',
        'Notifications',
        'Security',
        'Calendars',
        'Categories',
        'Attributes',
        'Document templates',
        'AI clients',
        'Agents',
        'Proposals',
      ])
    await inSettings.getByRole('link', { name: 'Back to app' }).click()
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'New lead' }).count()).toBe(0)
    await page.goto('/settings/audit-log')
    await page.getByRole('alert').getByText('Details').click()
    await page.getByRole('alert').getByText('VIEW_AUDIT_LOG').waitFor()
    await page.getByRole('complementary').getByRole('button', { name: /@/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.goto('/leads')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  })
})

describe('a module that is off', () => {
  it('is explained, and the navigation no longer leads there', async () => {
    await installation.crm('workspace', 'module', installation.workspace.slug, 'SALES', 'off', '--reason', 'plan')
    const page = await signedIn('/tasks')
    await page.getByRole('heading', { name: 'Tasks', level: 1 }).waitFor()
    await expect
      .poll(() => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Leads' }).count())
      .toBe(0)
    await page.goto('/leads')
    await page.getByRole('alert').getByText('The module Sales is not in your plan.').waitFor()
    await installation.crm('workspace', 'module', installation.workspace.slug, 'SALES', 'on')
    await page.getByRole('button', { name: 'Try again' }).click()
    await rows(page).first().waitFor()
  })
})

describe('leads', () => {
  it('finds a lead by search and shows its timeline', async () => {
    const page = await signedIn('/leads')
    await page.getByText('25 leads', { exact: true }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('analyt')
    await page.getByText('1 lead found').waitFor()
    await expect.poll(() => new URL(page.url()).search).toBe('?search=analyt')
    await rows(page).getByRole('link', { name: 'Ada King' }).click()
    await page.getByRole('heading', { name: 'Ada King', level: 1 }).waitFor()
    const timeline = page.getByRole('list', { name: 'Activity feed' })
    await timeline.getByText('created this lead').waitFor()
    await timeline.getByRole('listitem').filter({ hasText: 'moved to Qualified' }).first().waitFor()
    await page.getByRole('main').getByRole('link', { name: 'Leads' }).click()
    await page.getByText('1 lead found').waitFor()
  })

  it('scrolls through all leads, sorts and filters in the address, and goes back to its place', async () => {
    const page = await signedIn('/leads?pageSize=20', { viewport: { width: 1280, height: 560 } })
    const last = rows(page).and(page.locator('[aria-rowindex="26"]')).getByRole('link')
    await rows(page).getByRole('link').first().waitFor()
    await expect.poll(() => last.count()).toBe(0)
    const scroller = page.locator('[data-scroll-restoration-id]')
    const scrolled = () => scroller.evaluate((list) => Math.round(list.scrollTop))
    await scroller.evaluate((list) => list.scrollTo({ top: list.scrollHeight }))
    await last.waitFor()
    const [name, place] = [await last.textContent(), await scrolled()]
    await rows(page)
      .getByRole('checkbox', { name: `Select row ${name}` })
      .check()
    await last.click()
    await page.getByRole('heading', { name: name ?? '', level: 1 }).waitFor()
    await page.goBack()
    await page.getByRole('toolbar', { name: 'Bulk actions' }).getByText('1 selected').waitFor()
    await last.waitFor()
    await expect.poll(async () => Math.abs((await scrolled()) - place)).toBeLessThan(40)

    await rows(page).locator('[data-label="Temperature"]').nth(5).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Filter by this value' }).click()
    await page.getByText('24 leads found').waitFor()
    await expect.poll(scrolled).toBe(0)
    await page.getByRole('button', { name: 'Name', exact: true }).click()
    await page.getByRole('columnheader', { name: 'Name' }).and(page.locator('[aria-sort=ascending]')).waitFor()
    await expect.poll(() => new URL(page.url()).searchParams.get('sort')).toBe('lastName')
    await page.goBack()
    await page.goBack()
    await page.getByText('25 leads', { exact: true }).waitFor()
  })

  it('creates a lead after showing what is wrong with it, changes, moves and comments on it, and deletes it', async () => {
    const page = await signedIn('/leads')
    await page.getByRole('button', { name: 'New lead' }).click()
    const form = page.getByRole('form', { name: 'New lead' })
    await form.getByLabel('First name').fill('Grace')
    await form.getByLabel('Phone').fill('030 1234')
    await form.getByRole('button', { name: 'Create lead', exact: true }).click()
    await form.getByText('Start the phone number with + and the country code').waitFor()
    await form.getByLabel('Phone').fill('+49 30 901820')
    await form.getByRole('button', { name: 'Create lead', exact: true }).click()
    await page.getByRole('heading', { name: 'Grace', level: 1 }).waitFor()

    await page.getByRole('listbox', { name: 'Stage' }).getByRole('option', { name: 'Contacted' }).click()
    await page
      .getByRole('list', { name: 'Activity feed' })
      .getByRole('listitem')
      .filter({ hasText: 'moved to Contacted' })
      .waitFor()
    await page.getByRole('textbox', { name: 'Note', exact: true }).fill('Called, will call back')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('list', { name: 'Activity feed' }).getByText('Called, will call back').waitFor()

    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByText('25 leads', { exact: true }).waitFor()
  })

  it('converts a lead', async () => {
    const { data } = (await installation.call('POST', '/api/leads', {
      firstName: 'Mary',
      companyName: 'Somerville Ltd',
    })) as { data: { id: string } }
    const page = await signedIn(`/leads/${data.id}`)
    await page.getByRole('button', { name: 'Convert', exact: true }).click()
    await page.getByRole('dialog').getByLabel('Name of the deal').fill('First order')
    await page.getByRole('dialog').getByRole('button', { name: 'Convert', exact: true }).click()
    await page.getByRole('button', { name: 'Open deal' }).click()
    await page.getByRole('heading', { name: 'First order', level: 1 }).waitFor()
    await page.goBack()
    await page.getByRole('region', { name: 'Key facts' }).getByText('Converted').first().waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Convert', exact: true }).count()).toBe(0)
    const entries = page.getByRole('list', { name: 'Activity feed' }).getByRole('listitem')
    const told = entries.filter({ hasText: 'converted this lead to Mary, Somerville Ltd and First order' })
    await expect.poll(() => told.getByRole('link').allTextContents()).toEqual(['Mary', 'Somerville Ltd', 'First order'])
    await expect.poll(() => entries.count()).toBe(2)
    await told.getByRole('link', { name: 'First order' }).click()
    await page.getByRole('heading', { name: 'First order', level: 1 }).waitFor()
    await entries
      .filter({ hasText: 'converted the lead Mary to' })
      .getByRole('link', { name: 'Mary' })
      .first()
      .waitFor()
    await expect.poll(() => entries.count()).toBe(2)
    await installation.call('DELETE', `/api/leads/${data.id}`)
  })

  it('says that there is no such lead', async () => {
    const page = await signedIn('/leads/00000000-0000-7000-8000-000000000000')
    await page.getByRole('alert').getByText('Not found').waitFor()
  })
})

describe('API keys', () => {
  it('makes a key that works until it is revoked', async () => {
    const page = await signedIn('/settings/api-keys')
    await page.getByRole('button', { name: 'New API key' }).click()
    await page.getByLabel('Name').fill('Website form')
    await page.getByRole('button', { name: 'Create key' }).click()
    const key = await page.getByLabel('API key', { exact: true }).textContent()
    expect(key).toMatch(/^sk-/)
    const callWithKey = async () =>
      (await fetch(`${installation.address}/api/leads`, { headers: { authorization: `Bearer ${key}` } })).status
    expect(await callWithKey()).toBe(200)

    await page.getByRole('button', { name: 'I saved it' }).click()
    const search = page.getByRole('searchbox', { name: 'Search the API keys' })
    await search.fill('no such key')
    await page.getByText('Nothing found').waitFor()
    await search.fill('website')
    await page.getByRole('button', { name: 'Revoke Website form' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('Key revoked').waitFor()
    expect(await callWithKey()).toBe(401)
    const row = page.getByRole('row', { name: /Website form.*/ })
    await row.waitFor({ state: 'detached' })
    await page.getByRole('checkbox', { name: 'Also show revoked and expired keys' }).check()
    await row.getByText('Revoked').waitFor()
  })
})

describe('the reference', () => {
  it('is open to anybody and tries a request with a pasted key', async () => {
    const { key } = await installation.workspace.apiKey({ scopes: ['VIEW_LEAD'] })
    const page = await openPage()
    await page.goto('/docs')
    await page.getByLabel('Find an operation').fill('list leads')
    await page.getByRole('link', { name: 'List leads' }).click()
    await page.getByRole('heading', { name: 'List leads', level: 1 }).waitFor()
    await expect.poll(() => new URL(page.url()).search).toBe('?operation=leads.list')
    await page.getByLabel('API key to try requests with').fill(key)
    await page.getByRole('form', { name: 'Try it' }).getByLabel('pageSize').fill('1')
    await expect.poll(() => page.getByLabel('The request as curl').textContent()).toContain('/api/leads?pageSize=1')
    await expect.poll(() => page.getByLabel('The request as curl').textContent()).not.toContain(key)
    await page.getByRole('button', { name: 'Send GET' }).click()
    await page.getByRole('region', { name: 'Response', exact: true }).getByText('200 OK', { exact: true }).waitFor()
  })
})

describe('on a phone', () => {
  it('fits the reference into the width, and opens the navigation by a button', async () => {
    const page = await signedIn('/leads', {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
      colorScheme: 'dark',
    })
    await rows(page).first().waitFor()
    for (const path of ['/leads', '/docs', '/docs?operation=leads.create']) {
      await page.goto(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.waitForLoadState('networkidle')
      const overflow = await page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      )
      expect({ path, overflow }).toEqual({ path, overflow: 0 })
    }
    await page.goto('/leads')
    await page.getByRole('button', { name: 'Open the navigation' }).click()
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('heading', { name: 'Profile', level: 1 }).waitFor()
  })
})

describe('what screen readers are told before the sign-in', () => {
  it.each(['/sign-in', '/docs?operation=leads.create'])('has a name for every control on %s', async (path) => {
    const page = await openPage()
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForLoadState('networkidle')
    await expectNames(page)
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('en')
  })
})
