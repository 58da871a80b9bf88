import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { textsIn, type SourceText } from './texts-in.ts'
import { keyOf } from './web/src/texts/keys.ts'

const sources = fileURLToPath(new URL('web/src/', import.meta.url))

/** The languages that have catalogues: all that have terms but English. */
export const translated = globSync('*/kinds.json', { cwd: join(sources, 'texts') })
  .map((path) => dirname(path))
  .filter((language) => language !== 'en')
  .toSorted()

/** The texts of a catalogue by key. */
export type Catalogue = Readonly<Record<string, string>>

/** A text as the console uses it. */
export interface UsedText extends SourceText {
  readonly key: string
  /** Such as `records/list/list-menu.tsx:46`. */
  readonly place: string
  /** The feature that loads its translations. */
  readonly feature: string
}

/** Reads the texts of all sources, and the places of those that nobody could translate. */
export function readTexts(): { readonly texts: readonly UsedText[]; readonly computed: readonly string[] } {
  const paths = globSync('**/*.{ts,tsx}', { cwd: sources, exclude: (path) => path.includes('.test.') }).toSorted()
  const found = paths.map((path) => {
    const source = readFileSync(join(sources, path), 'utf8')
    return { path, source, ...textsIn(path, source) }
  })
  return {
    texts: found.flatMap(({ path, source, texts }) =>
      texts.map((text) => ({
        ...text,
        key: keyOf(text.english, text.context),
        place: `${path}:${text.line}`,
        feature: featureOf(path, source),
      })),
    ),
    computed: found.flatMap(({ path, computed }) => computed.map((line) => `${path}:${line}`)),
  }
}

/** Returns the feature whose translations are there when a source runs: that of the module from which it takes `t`. */
function featureOf(path: string, source: string): string {
  const [, from] = /import \{[^}]*\bt\b[^}]*\} from '([^']*texts\.ts)'/.exec(source) ?? []
  const module = from === undefined ? source : readFileSync(join(sources, dirname(path), from), 'utf8')
  return /loadTexts\('([\w-]+)'\)/.exec(module)?.[1] ?? ''
}

/** Returns the keys that each catalogue has to have. A text of several features stands with those of all pages. */
export function keysByFeature(texts: readonly UsedText[]): ReadonlyMap<string, readonly string[]> {
  const keys = Map.groupBy(texts, ({ key }) => key)
  const features = [...keys].map(([key, uses]) => {
    const own = new Set(uses.map(({ feature }) => feature))
    return { key, feature: own.size === 1 ? [...own].join() : 'core' }
  })
  return new Map(
    [...Map.groupBy(features, ({ feature }) => feature)].map(([feature, all]) => [
      feature,
      all.map(({ key }) => key).toSorted(),
    ]),
  )
}

/** Returns the path of a catalogue. */
export function catalogueAt(language: string, feature: string): string {
  return join(sources, 'texts/translations', language, `${feature}.json`)
}

/** Returns the features that have catalogues in a language. */
export function featuresIn(language: string): readonly string[] {
  return globSync('*.json', { cwd: dirname(catalogueAt(language, '')) }).map((name) => name.replace(/\.json$/, ''))
}

/** Reads a catalogue; one that is not there yet is empty. */
export function readCatalogue(language: string, feature: string): Catalogue {
  const path = catalogueAt(language, feature)
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Catalogue) : {}
}
