import { existsSync, globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const source = fileURLToPath(new URL('../web/src', import.meta.url))
const styles = dirname(createRequire(import.meta.url).resolve('@mantine/core/styles/global.css'))

it('has the styles of every component that the pages use', () => {
  const used = globSync('**/*.tsx', { cwd: source }).flatMap((path) => {
    const imports = readFileSync(join(source, path), 'utf8').matchAll(/import \{([^}]*)\} from '@mantine\/core'/g)
    return [...imports].flatMap(([, names = '']) => names.split(',').map((name) => name.trim()))
  })
  const taken = readFileSync(join(source, 'base/mantine-styles.ts'), 'utf8')
  const missing = new Set(
    used.filter((name) => existsSync(join(styles, `${name}.css`)) && !taken.includes(`/${name}.css'`)),
  )
  expect([...missing]).toEqual([])
})

it('has no words in style sheets, which no catalogue would translate', () => {
  const worded = globSync('**/*.css', { cwd: source }).flatMap((path) => {
    const contents = readFileSync(join(source, path), 'utf8').matchAll(/^\s*content:.*['"].*\p{L}.*['"]/gmu)
    return [...contents].map(([declaration]) => `${path}: ${declaration.trim()}`)
  })
  expect(worded).toEqual([])
})
