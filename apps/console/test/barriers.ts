import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect } from 'vitest'
import type { Page } from './pages.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Returns the serious barriers that axe finds on a page. */
export async function barriers(page: Page): Promise<string[]> {
  return (await complaintsOf(page)).filter(({ impact }) => impact === 'serious' || impact === 'critical').map(inOneLine)
}

/** Returns everything that axe finds, including mere good practice. */
export async function allBarriers(page: Page): Promise<string[]> {
  return (await complaintsOf(page)).map(inOneLine)
}

/** Returns everything that axe finds in the light and in the dark. */
export async function barriersInBothThemes(page: Page): Promise<string[]> {
  const found: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    found.push(...(await allBarriers(page)).map((fault) => `${colorScheme}: ${fault}`))
  }
  return found
}

interface Complaint {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly { readonly html: string }[]
}

function inOneLine({ id, nodes }: Complaint): string {
  return `${id}: ${nodes.map(({ html }) => html).join(' | ')}`
}

async function complaintsOf(page: Page): Promise<readonly Complaint[]> {
  if (!(await page.evaluate(`'axe' in window`))) await page.evaluate(axe)
  return page.evaluate(complaints)
}

/** Only what is printed leaves the page: what passes is much more, and handing it out takes half as long as looking for it. */
const complaints = `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
  violations.map(({ id, impact, nodes }) => ({ id, impact, nodes: nodes.map(({ html }) => ({ html })) })))`

const rolesWithNames = [
  'button',
  'link',
  'textbox',
  'searchbox',
  'combobox',
  'checkbox',
  'switch',
  'table',
  'navigation',
  'form',
] as const

/**
 * Expects that a screen reader has a name for every control, and one main part with one title. A single count is made, because a page
 * may still be filled between two.
 */
export async function expectNames(page: Page): Promise<void> {
  expect(await namingFaults(page)).toEqual([])
}

/** Returns the roles of controls without a name, and what a page has once where it has more of it or none. */
export async function namingFaults(page: Page): Promise<string[]> {
  const faults: string[] = []
  for (const role of rolesWithNames)
    if ((await page.getByRole(role, { name: /^\s*$/ }).count()) > 0) faults.push(`a ${role} without a name`)
  for (const [name, once] of [
    ['main part', page.getByRole('main')],
    ['title', page.getByRole('heading', { level: 1 })],
  ] as const)
    if ((await once.count()) !== 1) faults.push(`not one ${name}`)
  return faults
}
