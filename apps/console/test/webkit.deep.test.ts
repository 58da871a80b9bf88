import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { eventually, Key, launchWebKit, testPassword, unique, type WebElement } from '@crm/testkit'
import { describe, expect, it } from 'vitest'
import { startInstallation } from './installation.ts'

// The tools that drive Chromium and Firefox for the other tests know no WebKit that a package brings.
const installation = await startInstallation({ withBooking: true })
const { workspace, call, inSettings } = installation
const webKit = await launchWebKit()
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const always = [0, 1, 2, 3, 4, 5, 6].map((day) => ({ day, start: '00:00', end: '24:00' }))

/** Finds what screen readers call so; of several the first. */
const byRole = `
  const [role, name] = arguments
  const { aria, dom, text } = axe.commons
  axe.setup(document)
  try {
    const reachable = document.querySelector('dialog[open]') ?? document.body
    return [...reachable.querySelectorAll('*')].find((element) =>
      aria.getRole(element) === role && dom.isVisibleToScreenReaders(element) && new RegExp(name).test(text.accessibleText(element)))
  } finally {
    axe.teardown()
  }`

/** Waits for what has a role and a name; a name as a text is the whole name. */
const shown = (role: string, name: string | RegExp): Promise<WebElement> =>
  eventually(
    async () => {
      if (!(await webKit.executeScript<boolean>(`return 'axe' in window`))) await webKit.executeScript(axe)
      const pattern = typeof name === 'string' ? `^${RegExp.escape(name)}$` : name.source
      const found = await webKit.executeScript<WebElement | null>(byRole, role, pattern)
      if (found === null) throw new Error(`No ${role} ${String(name)} is shown`)
      return found
    },
    { interval: 100 },
  )

/** Does something with a control; what is drawn anew meanwhile is looked for again. */
const withControl = (role: string, name: string | RegExp, work: (control: WebElement) => Promise<unknown>) =>
  eventually(async () => work(await shown(role, name)))
const press = (role: string, name: string | RegExp) => withControl(role, name, (control) => control.click())
const type = (name: string, ...keys: readonly string[]) =>
  withControl('textbox', name, (control) => control.sendKeys(...keys))
const text = () => webKit.executeScript<string>('return document.body.innerText')

/** Opens a page, and keeps the faults that it reports from then on. */
async function open(path: string): Promise<void> {
  await webKit.get(installation.address + path)
  await webKit.executeScript(`
    window.faults = []
    addEventListener('error', ({ message }) => faults.push(message))
    addEventListener('unhandledrejection', ({ reason }) => faults.push(String(reason)))
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => faults.push(violatedDirective + ' ' + blockedURI))`)
}

/** Expects that nothing on the page keeps anybody out, and that it has reported no fault. */
async function expectWhole(): Promise<void> {
  const found = await webKit.executeScript<string[]>(`
    return axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
      [...window.faults, ...violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' | '))])`)
  expect(found).toEqual([])
}

describe('in WebKit', () => {
  it('a guest books, and cancels', async () => {
    const slug = unique()
    const link = { slug, name: 'Intro', durationMin: 30, timezone: 'UTC', weeklyHours: always }
    await inSettings('POST', '/api/settings/booking-links', { ...link, organizerId: workspace.adminUserId })
    await open(`/book/${slug}`)
    await press('button', 'Next month')
    await press('button', /free$/)
    await press('button', / at \d+:\d\d/)
    await expectWhole()
    await press('button', 'Next')
    await type('Name', 'Zoë Guest')
    await type('Email', 'zoe@guest.test')
    await expectWhole()
    await press('button', 'Confirm booking')
    await shown('heading', 'You are booked')
    await expectWhole()
    const { pathname } = new URL((await (await shown('link', 'Cancel')).getAttribute('href')) ?? '')
    await open(pathname)
    await press('button', 'Cancel meeting')
    await type('Reason', 'Ill')
    await expectWhole()
    await press('button', 'Cancel meeting')
    await shown('heading', 'Meeting cancelled')
  })

  it('a person signs in, makes a lead, finds it by a filter, and changes it', async () => {
    await call('POST', '/api/leads', { firstName: 'Ada', lastName: 'Byron' })
    await webKit.manage().deleteAllCookies()
    await open('/leads')
    await type('Email', workspace.adminEmail)
    await expectWhole()
    await type('Password', testPassword, Key.ENTER)
    await shown('heading', 'Leads')
    await expectWhole()
    await press('button', 'New lead')
    await type('First name', 'Grace')
    await type('Last name', 'Hopper')
    await expectWhole()
    await press('button', 'Create lead')
    await shown('heading', 'Grace Hopper')
    await expectWhole()
    await press('link', 'Leads')
    await shown('link', 'Ada Byron')
    await press('button', 'Filter')
    await press('option', 'Last name')
    await type('Value', 'Hopper')
    await eventually(async () => expect(await text()).not.toContain('Ada Byron'))
    await expectWhole()
    await press('link', 'Grace Hopper')
    await press('button', 'Edit Job title')
    await type('Job title', 'Rear admiral', Key.ENTER)
    await eventually(async () => expect(await text()).toContain('Rear admiral'))
    await expectWhole()
  })
})
