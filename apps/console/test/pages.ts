import { eventually, isFirefox, launchBrowser, onceForAllFiles } from '@crm/testkit'
import { afterAll, afterEach } from 'vitest'
import type { Installation } from './installation.ts'

type Browser = Awaited<ReturnType<typeof launchBrowser>>
export type Page = Awaited<ReturnType<Browser['newPage']>>
type Locator = ReturnType<Page['locator']>
type ContextOptions = NonNullable<Parameters<Browser['newContext']>[0]>

/** A person of the workspace. */
export interface Person {
  readonly id: string
}

/** What a page can be given while it is open; for anything else a browser is opened anew. */
const changeable: ReadonlySet<string> = new Set(['as', 'since', 'viewport', 'colorScheme'])

interface Session {
  readonly as?: Person | undefined
  readonly since?: Date | undefined
  /** The workspace, where a test needs one that no earlier try has changed; that of the file by default. */
  readonly at?: Installation
  /** Whether the test puts the clock of the page forward. */
  readonly ownClock?: true
}

/** Opens a tab of a page. */
export const openTab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true }).click()

/** Leads a page of the console to another one as its links do: without loading it again, and with what it has read. */
export async function go(page: Page, path: string): Promise<void> {
  await page.evaluate(`history.pushState({}, '', ${JSON.stringify(path)})`)
}

/** Puts the clock of a page forward until it shows what it asks for from time to time. */
export const shownLater = (page: Page, shown: Locator, everyMs: number) =>
  eventually(async () => {
    await page.clock.fastForward(everyMs)
    if ((await shown.count()) === 0) throw new Error(`${shown.toString()} is not shown`)
  })

/** The pages of one test file. */
export interface Pages {
  /** Opens an empty page, without the cookies of another one. */
  open(options?: ContextOptions): Promise<Page>
  /** Gives a page a session of the administrator, or of the given person, who signed in now or at the given time. */
  signIn(page: Page, as?: Person, since?: Date, at?: Installation): Promise<void>
  /**
   * Shows the page at a path in such a session. The first one of a test is the page of the test before, which was signed out and is led
   * there without being loaded again.
   */
  signedIn(path: string, options?: ContextOptions & Session): Promise<Page>
  /** Loads the page at a path in such a session, in a browser that has nothing of the console yet. */
  loaded(path: string, options?: ContextOptions & Session): Promise<Page>
}

const pageTimeoutMs = 30_000
/** The look of a page whose test asks for none. */
const usualLook = { viewport: { width: 1280, height: 720 }, colorScheme: 'light' } as const

const startBrowser = onceForAllFiles(() => launchBrowser())

/**
 * Opens pages for a test file, in a browser that all files share. Pages end with their test, apart from one that the next test goes on
 * with. A fault on a page, or a refusal by the Content-Security-Policy, fails that test.
 */
export async function openPages(installation: Installation): Promise<Pages> {
  const browser = await startBrowser()
  const complaints: string[] = []
  /** The page that goes from test to test. */
  let kept: Page | undefined
  let isTaken = false

  const closeAllBut = (page?: Page) =>
    Promise.all(browser.contexts().flatMap((context) => (context === page?.context() ? [] : [context.close()])))
  afterEach(async ({ task }) => {
    // What a failed test left behind is no place for another one.
    if (task.result?.state === 'fail') kept = undefined
    isTaken = false
    await closeAllBut(kept)
    const found = complaints.splice(0)
    if (found.length > 0) throw new Error(`A page complained: ${found.join('; ')}`)
  })
  afterAll(() => closeAllBut())

  const open = async (options: ContextOptions = {}): Promise<Page> => {
    // No test is about motion, and a text that is still fading in has too little contrast for axe.
    const context = await browser.newContext({
      baseURL: installation.address,
      reducedMotion: 'reduce',
      ...usualLook,
      ...options,
    })
    const page = await context.newPage()
    page.setDefaultTimeout(pageTimeoutMs)
    page.on('pageerror', (error) => complaints.push(error.message))
    if (isFirefox()) await page.addInitScript(typedInFirefox)
    await page.exposeFunction('complain', (text: string) => complaints.push(text))
    await page.addInitScript(
      `document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => complain(violatedDirective + ' ' + blockedURI))`,
    )
    return page
  }

  const signIn: Pages['signIn'] = async (page, as, since, { address, workspace } = installation) => {
    const [name = '', value = ''] = (await workspace.session(as?.id, since)).split('=')
    await page.context().addCookies([{ name, value, url: address, httpOnly: true, sameSite: 'Lax' }])
  }

  const loaded: Pages['loaded'] = async (path, { as, since, at = installation, ownClock, ...options } = {}) => {
    const page = await open({ baseURL: at.address, ...options })
    if (ownClock) await page.clock.install()
    await signIn(page, as, since, at)
    await page.goto(path)
    return page
  }

  const takeOver: Pages['signedIn'] = async (path, options = {}) => {
    isTaken = true
    if (kept === undefined || !(await leave(kept))) return (kept = await loaded(path, options))
    const { as, since, viewport, colorScheme } = { ...usualLook, ...options }
    if (viewport) await kept.setViewportSize(viewport)
    await kept.emulateMedia({ colorScheme })
    await signIn(kept, as, since)
    await go(kept, path)
    await kept.locator('main#main').waitFor()
    return kept
  }

  const signedIn: Pages['signedIn'] = (path, options = {}) =>
    isTaken || Object.keys(options).some((name) => !changeable.has(name))
      ? loaded(path, options)
      : takeOver(path, options)

  return { open, signIn, signedIn, loaded }
}

/**
 * Signs a page out, so that another person can go on with it, and takes away what a test left on it and asked of its browser. Returns
 * false for a page that has to be given up, because nobody can be signed out there.
 */
export async function leave(page: Page): Promise<boolean> {
  if (page.isClosed()) return false
  const context = page.context()
  await context.setOffline(false)
  await Promise.all([page, context].map((routed) => routed.unrouteAll({ behavior: 'ignoreErrors' })))
  await context.clearPermissions()
  await Promise.all(context.pages().flatMap((other) => (other === page ? [] : [other.close()])))
  // Another language comes with another load.
  const account = page.locator('html[lang="en"] aside button', { hasText: '@' })
  if ((await account.count()) === 0) return false
  // A dialog that a test left open covers the page; the events reach the menu under it.
  await page.evaluate(`sessionStorage.setItem('test', 'is left')`)
  await account.dispatchEvent('click')
  await page.locator('aside [role=menuitem]').last().dispatchEvent('click')
  await eventually(
    async () => {
      // What a test typed and did not save is lost with it.
      const discard = page.locator('[role=dialog]').getByRole('button', { name: 'Discard', exact: true })
      if ((await discard.count()) > 0) await discard.dispatchEvent('click')
      if ((await page.evaluate(`sessionStorage.getItem('test')`)) !== null)
        throw new Error('The page is not signed out')
    },
    { interval: 5 },
  )
  await context.clearCookies()
  await page.evaluate(clearKept)
  await page.mouse.move(0, 0)
  return true
}

/** In Firefox, Playwright puts a text into a field without typing it, which React does not notice. */
const typedInFirefox = `addEventListener('input', (event) => {
  const field = event.target
  if (event.isTrusted || !('value' in field && 'select' in field)) return
  event.stopImmediatePropagation()
  const text = field.value
  field.value = text === '' ? ' ' : ''
  field.select()
  document.execCommand(text === '' ? 'delete' : 'insertText', false, text)
}, true)`

const clearKept = `(async () => {
  localStorage.clear()
  sessionStorage.clear()
  for (const { name } of await indexedDB.databases()) indexedDB.deleteDatabase(name)
})()`
