import { describe, expect, it } from 'vitest'
import { testPassword } from '@crm/testkit'
import { startInstallation } from './installation.ts'
import { go, leave, openPages, type Page } from './pages.ts'

const installation = await startInstallation()
const { workspace, call } = installation
const { signIn, signedIn, loaded } = await openPages(installation)

const create = async (path: string, body: unknown) =>
  ((await call('POST', path, body)) as { data: { id: string } }).data
const other = await workspace.employee({ roles: ['Administrator'] })

interface Lead {
  readonly id: string
  readonly firstName: string
}

/** Does on a page what people do, and leaves in the middle of it. Returns the lead on whose page a note was begun. */
async function work(page: Page, firstName: string): Promise<Lead> {
  const { id } = await create('/api/leads', { firstName, lastName: 'Begun' })
  const { id: gone } = await create('/api/companies', { name: 'Short-lived' })
  await go(page, `/companies/${gone}`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Undo' }).waitFor()
  await go(page, `/leads?search=${firstName}`)
  await page.getByRole('checkbox', { name: `Select row ${firstName} Begun` }).check()
  await page.getByRole('link', { name: `${firstName} Begun` }).click()
  await page.getByRole('textbox', { name: 'Note', exact: true }).fill('Half a tho')
  return { id, firstName }
}

/** Expects that the next person finds nothing of the work of the one before. */
async function expectNothingOf(page: Page, { id, firstName }: Lead): Promise<void> {
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Undo' }).count()).toBe(0)
  await page.keyboard.press('Control+z')
  await page.getByText('Nothing to undo').waitFor()
  await go(page, `/leads/${id}`)
  await page.getByRole('heading', { name: `${firstName} Begun`, level: 1 }).waitFor()
  await expect.poll(() => page.getByRole('textbox', { name: 'Note', exact: true }).inputValue()).toBe('')
  await page.getByRole('main').getByRole('link', { name: 'Leads' }).click()
  await page.getByRole('heading', { name: 'Leads', level: 1 }).waitFor()
  await expect.poll(() => new URL(page.url()).search).toBe('')
  await go(page, `/leads?search=${firstName}`)
  await page
    .getByRole('checkbox', { name: `Select row ${firstName} Begun` })
    .and(page.locator(':not(:checked)'))
    .waitFor()
}

it('who signs out leaves nothing to the next person at the same tab', async () => {
  const page = await loaded('/')
  const lead = await work(page, 'Ada')
  await page.getByRole('complementary').getByRole('button', { name: /@/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.getByLabel('Email').fill(other.email)
  await page.getByLabel('Password', { exact: true }).fill(testPassword)
  await page.keyboard.press('Enter')
  await expectNothingOf(page, lead)
})

describe('a page that goes from test to test', () => {
  it('is signed out, and keeps nothing that people or the test left on it or asked of its browser', async () => {
    const page = await signedIn('/')
    const context = page.context()
    const lead = await work(page, 'Grace')
    await page.evaluate(`(async () => {
      localStorage.setItem('left', 'here')
      sessionStorage.setItem('left', 'here')
      const { promise, resolve, reject } = Promise.withResolvers()
      const opening = Object.assign(indexedDB.open('left'), { onsuccess: resolve, onerror: reject })
      await promise
      opening.result.close()
    })()`)
    await context.newPage()
    await context.grantPermissions(['notifications'])
    await page.route('**/api/**', (route) => route.abort())
    await context.route('**/api/**', (route) => route.abort())
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog', { name: 'Command menu' }).waitFor()
    await context.setOffline(true)

    expect(await leave(page)).toBe(true)

    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(await context.cookies()).toEqual([])
    expect(context.pages()).toEqual([page])
    expect(
      await page.evaluate(
        `(async () => [localStorage.length, sessionStorage.getItem('left'), (await indexedDB.databases()).length, Notification.permission])()`,
      ),
    ).toEqual([0, null, 0, 'denied'])
    await signIn(page, other)
    await go(page, '/')
    await expectNothingOf(page, lead)
  })

  it('is given up where nobody can be signed out', async () => {
    const page = await loaded('/')
    await page.context().clearCookies()
    await page.goto('/sign-in')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(await leave(page)).toBe(false)
    await page.close()
    expect(await leave(page)).toBe(false)
  })

  it.each(['light', 'dark'] as const)('looks as the test asks, %s', async (colorScheme) => {
    const viewport = colorScheme === 'dark' ? { width: 390, height: 844 } : { width: 1280, height: 720 }
    const page = await signedIn('/tasks', colorScheme === 'dark' ? { colorScheme, viewport } : {})
    await page.getByRole('heading', { name: 'Tasks', level: 1 }).waitFor()
    expect(await page.evaluate(`[innerWidth, matchMedia('(prefers-color-scheme: dark)').matches]`)).toEqual([
      viewport.width,
      colorScheme === 'dark',
    ])
  })
})
