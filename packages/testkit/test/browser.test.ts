import { expect, it } from 'vitest'
import { launchBrowser } from '../src/index.ts'

it('opens a page in a real browser', async () => {
  const browser = await launchBrowser()
  const page = await browser.newPage()
  await page.setContent('<h1>Leads</h1>')
  await expect.poll(() => page.getByRole('heading').textContent()).toBe('Leads')
})
