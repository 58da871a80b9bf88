import { expect, it } from 'vitest'
import { beginTrace, endTrace } from '../src/evidence.ts'
import { launchBrowser } from '../src/index.ts'

it('traces the pages of a second try, and those of no other test', async () => {
  const browser = await launchBrowser()
  /** A second start of a trace is refused. */
  const isTraced = (context: Awaited<ReturnType<typeof browser.newContext>>): Promise<boolean> =>
    context.tracing.start().then(
      () => false,
      () => true,
    )
  beginTrace()
  const [looked, kept, closed] = [await browser.newContext(), await browser.newContext(), await browser.newContext()]
  await Promise.all([looked, kept, closed].map((context) => context.newPage()))
  expect(await isTraced(looked)).toBe(true)
  // A page that a test closes itself leaves its trace with the browser; a file that leaves it elsewhere fails.
  await closed.close()
  await endTrace()
  expect([await isTraced(kept), await isTraced(await browser.newContext())]).toEqual([false, false])
})
