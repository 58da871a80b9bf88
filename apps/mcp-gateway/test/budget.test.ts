import { publicContract } from '@crm/contract'
import { permissionNames } from '@crm/permissions'
import { coreMode, toolCatalogue, toolDescriptor } from '@crm/tools'
import { countTokens } from 'gpt-tokenizer'
import { expect, it } from 'vitest'
import { createToolList } from '../src/tools/list.ts'

/** A record kind that a workspace has declared itself brings its own tools. */
const ofOwnKind = ['VIEW', 'CREATE', 'UPDATE', 'DELETE'].map((action) => `${action}_VEHICLE`)
const catalogue = toolCatalogue(publicContract)
const core = coreMode(catalogue.tools)
const listIn = (mode: 'full' | 'core'): string =>
  createToolList(catalogue, core)(new Set<string>([...permissionNames, ...ofOwnKind]), {
    mode,
    toolsets: null,
    readOnly: false,
    runnable: false,
  }).toString()
const tokensOf = (text: string): number => countTokens(text)

it('the list for a full credential costs 40,000 tokens at most, and 150 a tool', () => {
  const tokens = tokensOf(listIn('full'))
  expect(tokens).toBeLessThanOrEqual(40_000)
  const dearest = catalogue.tools
    .map((tool) => `${tokensOf(JSON.stringify(toolDescriptor(tool)))} ${tool.name}`)
    .toSorted((a, b) => Number.parseInt(b) - Number.parseInt(a))
  expect(tokens / catalogue.tools.length, dearest.slice(0, 10).join(', ')).toBeLessThanOrEqual(150)
})

it('the list of the core mode costs 4,000 tokens at most', () => {
  const dearest = core.tools.map(({ name, descriptor }) => `${tokensOf(JSON.stringify(descriptor))} ${name}`)
  expect(tokensOf(listIn('core')), dearest.join(', ')).toBeLessThanOrEqual(4_000)
})

it('every tool fits into what a search for tools may cost', () => {
  for (const tool of catalogue.tools) {
    const found = core.search(tool.name, 1, (one) => one === tool)
    expect(tokensOf(JSON.stringify({ ...found, elsewhere: [] })), tool.name).toBeLessThanOrEqual(1_500)
  }
})

it('no search for tools costs more than 1,500 tokens, whatever is looked for', () => {
  const titles = catalogue.tools.map(({ title }) => title)
  for (const [at, title] of titles.entries()) {
    const query = `${title}, ${titles[(at + 50) % titles.length]}; ${titles[(at + 100) % titles.length]}`
    for (const asked of [title, query])
      expect(tokensOf(JSON.stringify(core.search(asked, 10, () => true))), asked).toBeLessThanOrEqual(1_500)
  }
})
