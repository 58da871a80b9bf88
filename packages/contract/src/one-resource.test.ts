import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const page = `import { leads } from '${root}packages/contract/src/index.ts'
export const path = leads.operations.list.path`

it('a page that calls one resource takes no other kinds', async () => {
  const bundle = await rolldown({
    input: 'page',
    platform: 'browser',
    plugins: [
      { name: 'page', resolveId: (id) => (id === 'page' ? id : null), load: (id) => (id === 'page' ? page : null) },
    ],
  })
  const { output } = await bundle.generate({ format: 'esm' })
  await bundle.close()
  const taken = Object.keys(output[0].modules)
  expect(taken).toContain(`${root}packages/model/src/kinds/lead.ts`)
  expect(taken.filter((module) => /kinds\/(?:invoice|task|product)\.ts/.test(module))).toEqual([])
})
