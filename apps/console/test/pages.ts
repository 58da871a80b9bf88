import { launchBrowser, onceForAllFiles } from '@crm/testkit'
import { afterEach } from 'vitest'
import type { Installation } from './installation.ts'

type Browser = Awaited<ReturnType<typeof launchBrowser>>
export type Page = Awaited<ReturnType<Browser['newPage']>>
type ContextOptions = NonNullable<Parameters<Browser['newContext']>[0]>

/** A person of the workspace. */
export interface Person {
  readonly id: string
}

/** Opens a tab of a page. */
export const openTab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true }).click()

/** The pages of one test file. */
export interface Pages {
  /** Opens an empty page, without the cookies of another one. */
  open(options?: ContextOptions): Promise<Page>
  /** Gives a page a session of the administrator, or of the given person, who signed in now or at the given time. */
  signIn(page: Page, as?: Person, since?: Date): Promise<void>
  /** Opens a page at a path, in such a session. */
  signedIn(path: string, options?: ContextOptions & { readonly as?: Person; readonly since?: Date }): Promise<Page>
}

const pageTimeoutMs = 30_000

const startBrowser = onceForAllFiles(() => launchBrowser())

/**
 * Opens pages for a test file, in a browser that all files share. Pages end with their test. A fault on a page, or a
 * refusal by the Content-Security-Policy, fails that test.
 */
export async function openPages({ address, workspace }: Installation): Promise<Pages> {
  const browser = await startBrowser()
  const complaints: string[] = []
  afterEach(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()))
    const found = complaints.splice(0)
    if (found.length > 0) throw new Error(`A page complained: ${found.join('; ')}`)
  })

  const open = async (options: ContextOptions = {}): Promise<Page> => {
    // No test is about motion, and a text that is still fading in has too little contrast for axe.
    const context = await browser.newContext({ baseURL: address, reducedMotion: 'reduce', ...options })
    const page = await context.newPage()
    page.setDefaultTimeout(pageTimeoutMs)
    page.on('pageerror', (error) => complaints.push(error.message))
    await page.exposeFunction('complain', (text: string) => complaints.push(text))
    await page.addInitScript(
      `document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => complain(violatedDirective + ' ' + blockedURI))`,
    )
    return page
  }

  const signIn = async (page: Page, as?: Person, since?: Date): Promise<void> => {
    const [name = '', value = ''] = (await workspace.session(as?.id, since)).split('=')
    await page.context().addCookies([{ name, value, url: address, httpOnly: true, sameSite: 'Lax' }])
  }

  return {
    open,
    signIn,
    signedIn: async (path, { as, since, ...options } = {}) => {
      const page = await open(options)
      await signIn(page, as, since)
      await page.goto(path)
      return page
    },
  }
}
