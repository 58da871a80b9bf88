import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from './pages.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe finds on a page that keeps people out; the page must have been opened with `bypassCSP`, for its policy lets no test in. */
export async function barriers(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  const found = (await page.evaluate(`axe.run(document, { resultTypes: ['violations'] })`)) as { violations: { id: string; impact: string; nodes: { html: string }[] }[] }
  return found.violations.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
}
