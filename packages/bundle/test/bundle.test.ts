import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundle } from '../src/bundle.ts'

const appDir = realpathSync(mkdtempSync(join(tmpdir(), 'crm-bundle-')))
afterAll(() => rmSync(appDir, { recursive: true, force: true }))

const files = {
  'src/main.ts': `
    import { readFileSync } from 'node:fs'
    import { greet, type Greeting } from './greet.ts'
    const greeting: Greeting = greet('Zoë')
    console.log(JSON.stringify({ greeting, page: readFileSync(new URL('../web/page.txt', import.meta.url), 'utf8'), late: (await import('./late.ts')).late }))`,
  'src/main-broken.ts': `
    import { planTheImpossible } from './late.ts'
    planTheImpossible()`,
  'src/greet.ts': `
    export interface Greeting { readonly text: string }
    export const greet = (name: string): Greeting => ({ text: 'Grüße – здравствуйте, ' + name + ' 🎉' })`,
  'src/late.ts': `
    export const late = new URL(import.meta.url).pathname
    export function planTheImpossible(): never { throw new Error('impossible') }`,
  'web/page.txt': 'a page',
}

beforeAll(async () => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(appDir, path, '..'), { recursive: true })
    writeFileSync(join(appDir, path), text)
  }
  mkdirSync(join(appDir, 'bundle'))
  writeFileSync(join(appDir, 'bundle/of-an-earlier-build.js'), '')
  await bundle(appDir, ['src/main.ts', 'src/main-broken.ts'])
})

describe('a bundle', () => {
  it('does what its sources do, and finds the files and modules beside them', () => {
    expect(JSON.parse(execFileSync(process.execPath, [join(appDir, 'bundle/main.js')], { encoding: 'utf8' }))).toEqual({
      greeting: { text: 'Grüße – здравствуйте, Zoë 🎉' },
      page: 'a page',
      late: join(appDir, 'src/late.ts'),
    })
  })

  it('holds no character that would make V8 keep its source in two bytes for each', () => {
    const sources = readdirSync(join(appDir, 'bundle')).filter((name) => name.endsWith('.js'))
    for (const name of sources) expect(readFileSync(join(appDir, 'bundle', name), 'utf8')).toMatch(/^\p{ASCII}*$/u)
  })

  it('names functions in the stacks of errors, and with its map their lines', () => {
    const run = (...flags: string[]) =>
      spawnSync(process.execPath, [...flags, join(appDir, 'bundle/main-broken.js')], { encoding: 'utf8' }).stderr
    expect(run()).toContain('at planTheImpossible')
    expect(run('--enable-source-maps')).toMatch(/src\/late\.ts:3/)
  })

  it('is written anew as a whole', () => {
    expect(readdirSync(join(appDir, 'bundle'))).not.toContain('of-an-earlier-build.js')
    expect(readdirSync(join(appDir, 'bundle'))).toEqual(
      expect.arrayContaining(['main.js', 'main.js.map', 'main-broken.js']),
    )
  })
})

it('says what an entry imports in vain', async () => {
  writeFileSync(join(appDir, 'src/main-lost.ts'), `import './nowhere.ts'`)
  await expect(bundle(appDir, ['src/main-lost.ts'])).rejects.toThrow('nowhere.ts')
})
