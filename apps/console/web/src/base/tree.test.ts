import { expect, it } from 'vitest'
import { branchOf, flattenTree } from './tree.ts'

const nodes = [
  { id: 'field', parentId: 'sales' },
  { id: 'company', parentId: null },
  { id: 'sales', parentId: 'company' },
  { id: 'hidden child', parentId: 'hidden' },
  { id: 'support', parentId: 'company' },
]

it('puts each department after the one above it, and those below a hidden one at the top', () => {
  expect(flattenTree(nodes).map(({ node, depth }) => `${depth} ${node.id}`)).toEqual([
    '0 company',
    '1 sales',
    '2 field',
    '1 support',
    '0 hidden child',
  ])
})

it('knows what stands below a department, which cannot stand above it', () => {
  expect([...branchOf(nodes, 'sales')]).toEqual(['sales', 'field'])
  expect([...branchOf(nodes, 'support')]).toEqual(['support'])
})
