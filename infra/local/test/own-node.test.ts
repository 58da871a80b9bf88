import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { requireOwnNode } from '../own-node.ts'

it('names the Node that the tests need, and how an editor finds it', () => {
  expect(() => requireOwnNode()).not.toThrow()
  expect(() => requireOwnNode('20.20.2')).toThrow(
    /need Node\.js \d+\.\d+\.\d+, and this is 20\.20\.2: .*node_modules\/\.bin\/node/,
  )
})

it('is the one that tools for Node versions choose', () => {
  const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')
  const { devDependencies } = JSON.parse(read('package.json')) as {
    readonly devDependencies: { readonly node: string }
  }
  expect(read('.nvmrc').trim()).toBe(devDependencies.node)
  expect(read('.devcontainer/devcontainer.json')).toContain(`node:${Number.parseInt(devDependencies.node, 10)}-`)
})
