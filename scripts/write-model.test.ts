import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { modelFiles } from './write-model.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

it('the lists of plain kinds are those of the files (npm run model)', async () => {
  for (const [path, content] of Object.entries(await modelFiles(root)))
    expect(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8'), path).toBe(content)
})
