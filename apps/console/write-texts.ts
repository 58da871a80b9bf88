// `npm run texts`: brings the catalogues in line with the sources. A new text waits for its translations as an empty one.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { catalogueAt, featuresIn, keysByFeature, readCatalogue, readTexts, translated } from './catalogues.ts'

const features = keysByFeature(readTexts().texts)

for (const language of translated) {
  const before = featuresIn(language)
  const known = Object.assign({}, ...before.map((feature) => readCatalogue(language, feature))) as Record<
    string,
    string
  >
  for (const feature of before) rmSync(catalogueAt(language, feature))
  mkdirSync(dirname(catalogueAt(language, '')), { recursive: true })
  for (const [feature, keys] of features) {
    const texts = Object.fromEntries(keys.map((key) => [key, known[key] ?? '']))
    writeFileSync(catalogueAt(language, feature), `${JSON.stringify(texts, null, 2)}\n`)
  }
  const waiting = [...features.values()].flat().filter((key) => !known[key])
  console.log(
    `${language}: ${waiting.length === 0 ? 'every text has its translation' : `to translate: ${waiting.join(' · ')}`}`,
  )
}
