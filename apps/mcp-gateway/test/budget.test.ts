import { publicContract } from '@crm/contract'
import { permissionNames } from '@crm/permissions'
import { toolCatalogue, toolDescriptor } from '@crm/tools'
import { countTokens } from 'gpt-tokenizer'
import { expect, it } from 'vitest'
import { createToolList } from '../src/tools/list.ts'

/** A kind of record that a workspace made itself brings the tools for such records. */
const ofOwnKind = ['VIEW', 'CREATE', 'UPDATE', 'DELETE'].map((action) => `${action}_VEHICLE`)
const catalogue = toolCatalogue(publicContract)
const list = createToolList(catalogue)(new Set<string>([...permissionNames, ...ofOwnKind]), {
  toolsets: null,
  readOnly: false,
}).toString()
const tokensOf = (text: string): number => countTokens(text)

it('the list for a full credential costs 35,000 tokens at most, and 150 a tool', () => {
  const tokens = tokensOf(list)
  expect(tokens).toBeLessThanOrEqual(35_000)
  const dearest = catalogue.tools
    .map((tool) => `${tokensOf(JSON.stringify(toolDescriptor(tool)))} ${tool.name}`)
    .toSorted((a, b) => Number.parseInt(b) - Number.parseInt(a))
  expect(tokens / catalogue.tools.length, dearest.slice(0, 10).join(', ')).toBeLessThanOrEqual(150)
})
