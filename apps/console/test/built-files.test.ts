import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import doiuse from 'doiuse'
import postcss from 'postcss'
import { describe, expect, it } from 'vitest'
import { featuresIn } from '../catalogues.ts'
import manifest from '../package.json' with { type: 'json' }

// The browsers that the README names; its sentence and the target of the build are held to them here.
const { browserslist } = manifest
const root = fileURLToPath(new URL('../../../', import.meta.url))
const scripts = ['apps/console/dist/assets/*.{js,mjs}', 'apps/booking/web/*.js', 'apps/booking/bundle/embed.js']
const styles = ['apps/console/dist/assets/*.css', 'apps/booking/web/*.css']

/** What es-check takes for something newer, by its name alone, or finds behind a question whether the browser has it. */
const harmlessInScripts: Readonly<Record<string, readonly string[]>> = {
  // The menu groups its commands by a function of that name.
  'command-menu': ['ArrayPrototypeGroup'],
  // An operation of the API is named `transfer`.
  'pipelines-page': ['ArrayBufferTransfer'],
  // The passkeys ask for `toBase64` first.
  'recovery-codes': ['Uint8ArrayToBase64'],
}

/** What decorates: a page without it works as well. */
const decoration = [
  'css3-cursors',
  'css3-cursors-grab',
  'css-scrollbar',
  'css-overflow-anchor',
  'css-resize',
  'css-text-box-trim',
  'css-touch-action',
]

/** Returns the files with scripts that some of the browsers do not know, and what it is. */
function newerScripts(browsers: readonly string[], files: readonly string[]): string[] {
  const options = [
    '--checkFeatures',
    '--module',
    '--noCache',
    '--noColor',
    `--browserslistQuery=${browsers.join(', ')}`,
  ]
  const { stdout, stderr } = spawnSync(
    join(root, 'node_modules/.bin/es-check'),
    ['checkBrowser', ...files, ...options],
    {
      cwd: root,
      encoding: 'utf8',
    },
  )
  const said = stdout + stderr
  expect(said).toContain(`checking ${files.length} files`)
  return [...said.matchAll(/erroring file: (\S+)\s+· error: (.+)/g)].flatMap(([, path = '', fault = '']) => {
    const file = basename(path)
    const [, features = fault] = /features detected: (.*?)\. These/.exec(fault) ?? []
    const [, harmless = []] = Object.entries(harmlessInScripts).find(([name]) => file.startsWith(`${name}-`)) ?? []
    return features
      .split(/, (?=[A-Z])/)
      .filter((feature) => !harmless.includes(feature.split(' ')[0] ?? ''))
      .map((feature) => `${file}: ${feature}`)
  })
}

/** Returns the files with styles that some of the browsers do not know, and what it is. */
async function newerStyles(browsers: readonly string[], files: readonly string[]): Promise<string[]> {
  const found = new Set<string>()
  for (const path of files) {
    const checker = doiuse({
      browsers,
      ignore: decoration,
      onFeatureUsage: ({ feature, message }) => {
        if (message.includes(' not supported by: ')) found.add(`${basename(path)}: ${feature}`)
      },
    })
    await postcss([checker]).process(readFileSync(path, 'utf8'), { from: path })
  }
  return [...found]
}

/** The most bytes of scripts that the first list loads, compressed. */
const firstListBytesMax = 250_000

const filesOf = (patterns: readonly string[]) => globSync(patterns, { cwd: root }).map((path) => join(root, path))

describe('the files that browsers load', () => {
  it('hold no script that the browsers of the README do not know', () => {
    // The reader of PDFs brings what older browsers lack.
    const files = filesOf(scripts).filter((path) => !/^pdf[-.]/.test(basename(path)))
    const readers = filesOf(scripts).filter((path) => !files.includes(path))
    expect(files.length).toBeGreaterThan(100)
    expect(newerScripts(browserslist, files)).toEqual([])
    expect(readers.length).toBeGreaterThan(1)
    for (const path of readers) expect(readFileSync(path, 'utf8')).toContain('core-js')
  })

  it('hold no style that they do not know', async () => {
    const files = filesOf(styles)
    expect(files.length).toBeGreaterThan(20)
    expect(await newerStyles(browserslist, files)).toEqual([])
  })

  it('hold no schemas, and the first list is small', () => {
    const files = filesOf(scripts).filter((path) => !/^pdf[-.]/.test(basename(path)))
    // Every schema of zod has this member.
    expect(files.filter((path) => readFileSync(path, 'utf8').includes('_zod')).map((path) => basename(path))).toEqual(
      [],
    )
    const page = readFileSync(join(root, 'apps/console/dist/index.html'), 'utf8')
    const first = [...page.matchAll(/assets\/[\w-]+\.js/g)].map(([path]) => join(root, 'apps/console/dist', path))
    const compressed = (path: string) => statSync(`${path}.br`).size
    // The terms and the translations of one language come with them.
    const texts = ['ru-*.js', 'core-*.js']
      .map((name) => Math.max(...filesOf([`apps/console/dist/assets/${name}`]).map(compressed)))
      .reduce((sum, bytes) => sum + bytes)
    expect(first.length).toBeGreaterThan(2)
    expect(first.reduce((sum, path) => sum + (existsSync(`${path}.br`) ? compressed(path) : 0), texts)).toBeLessThan(
      firstListBytesMax,
    )
  })

  it('wait for the translations of a feature on its own pages alone', () => {
    const files = filesOf(['apps/console/dist/assets/{shared,parts}-*.js'])
    expect(files.length).toBeGreaterThan(1)
    const own = featuresIn('de').filter((feature) => feature !== 'core')
    const waits = new RegExp(`await [\\w$]+\\(.(?:${own.join('|')}).\\)`)
    const waiting = files.filter((path) => waits.test(readFileSync(path, 'utf8')))
    expect(waiting.map((path) => basename(path))).toEqual([])
  })

  it('are found out by older browsers', async () => {
    expect(newerScripts(['safari >= 15'], filesOf(scripts.slice(1))).join()).toMatch(
      /ArrayToSorted|ObjectGroupBy|MapGroupBy/,
    )
    expect((await newerStyles(['firefox >= 100'], filesOf(styles))).join()).toMatch(/css-has/)
  })

  it('are for the browsers that the README names', () => {
    const versionOf = (name: string) =>
      browserslist
        .find((one) => one.startsWith(`${name} `))
        ?.split(' ')
        .at(-1)
    expect(readFileSync(join(root, 'README.md'), 'utf8').replaceAll(/\s+/g, ' ')).toContain(
      `Chrome and Edge ${versionOf('chrome')}, Firefox ${versionOf('firefox')}, and Safari ${versionOf('safari')}`,
    )
    expect(versionOf('edge')).toBe(versionOf('chrome'))
    expect(versionOf('ios_saf')).toBe(versionOf('safari'))
  })
})
