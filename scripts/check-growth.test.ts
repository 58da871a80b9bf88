import { expect, it } from 'vitest'
import { findGrowth } from './check-growth.ts'

function findIn(source: string, path = 'apps/crm-api/src/a.ts'): string[] {
  const isTest = path.endsWith('.test.ts')
  return findGrowth([{ path, source, code: source, owner: 'apps/crm-api', isTest, isBrowser: path.includes('/web/') }])
}

it.each([
  [
    'a map of the module',
    'const known = new Map<string, number>()\nexport const note = (key: string) => known.set(key, 1)',
    'known',
  ],
  ['a set of the module', 'const seen = new Set()\nfunction note(key) {\n  seen.add(key)\n}', 'seen'],
  ['an exported one', 'export const seen = new Set()\nexport function note(key) {\n  seen.add(key)\n}', 'seen'],
  [
    'maps behind weak keys',
    'const texts = new WeakMap<object, Map<string, string>>()\nfunction textOf(rows: object) {\n  texts.set(rows, new Map())\n}',
    'texts',
  ],
  [
    'an object as a dictionary',
    'const known: Record<string, number> = {}\nfunction note(key) {\n  known[key] = 1\n}',
    'known',
  ],
  ['a list', 'const all: string[] = []\nfunction note(key) {\n  all.push(key)\n}', 'all'],
  [
    'a field of a class',
    'class Turns {\n  readonly #taken = new Map()\n  take(key) {\n    this.#taken.set(key, 1)\n  }\n}',
    'taken',
  ],
  [
    'a returned function',
    'function make() {\n  const known = new Map()\n  return (key) => known.set(key, 1)\n}',
    'known',
  ],
  [
    'a returned object',
    'const make = () => {\n  const known = new Map()\n  return { note: (key) => known.set(key, 1) }\n}',
    'known',
  ],
  [
    'a function that another returned one calls',
    'function make() {\n  let known = new Map()\n  const note = (key) => known.set(key, 1)\n  return { note, close: () => {} }\n}',
    'known',
  ],
])('finds %s that grows with what is asked', (_what, source, name) => {
  expect(findIn(source)).toEqual([expect.stringContaining(`lets ${name} grow`)])
})

it.each([
  [
    'says its bound',
    '/** What is known. Bounded: one a topic. */\nconst known = new Map()\nconst note = (key) => known.set(key, 1)',
  ],
  [
    'says its bound in lines',
    '// What is known.\n// Bounded: one a topic.\nconst known = new Map()\nconst note = (key) => known.set(key, 1)',
  ],
  [
    'says its bound in a class',
    'class Turns {\n  // Bounded: one a topic.\n  readonly #taken = new Map()\n  take(key) {\n    this.#taken.set(key, 1)\n  }\n}',
  ],
  [
    'has a bound',
    "import { LRUCache } from 'lru-cache'\nconst known = new LRUCache({ max: 5 })\nconst note = (key) => known.set(key, 1)",
  ],
  [
    'is filled when the module is read',
    "const known = new Map()\nfor (const word of ['a']) known.set(word, 1)\nconst find = (key) => known.get(key)",
  ],
  ['is never written', "const known = new Set(['a'])\nexport const isKnown = (key) => known.has(key)"],
  [
    'ends with its call',
    'function count(words) {\n  const found = new Map()\n  words.forEach((word) => found.set(word, 1))\n  return found.size\n}',
  ],
  [
    'is forgotten with its key',
    'const spans = new WeakMap<object, string>()\nconst note = (key) => spans.set(key, "a")',
  ],
])('leaves alone what %s', (_what, source) => {
  expect(findIn(source)).toEqual([])
})

it('takes the comment of another thing for no bound', () => {
  const source =
    '/** Bounded: one a topic. */\nconst one = new Map()\n\nconst other = new Map()\nconst note = (key) => {\n  one.set(key, 1)\n  other.set(key, 1)\n}'
  expect(findIn(source)).toEqual([expect.stringContaining('lets other grow')])
})

it.each(['race', 'any'])('finds a Promise.%s, except where it leaves nothing behind, in tests and in pages', (name) => {
  const source = `export const first = (one, stopped) => Promise.${name}([one, stopped])`
  expect(findIn(source)).toEqual([expect.stringContaining('races promises')])
  for (const path of ['packages/runtime/src/waits.ts', 'apps/crm-api/src/a.test.ts', 'apps/console/web/src/a.ts'])
    expect(findIn(source, path)).toEqual([])
})
