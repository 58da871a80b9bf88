// Writes the edges that are configuration files, after a change of infra/routes.json.
import { mkdirSync, writeFileSync } from 'node:fs'
import { edgeFiles, edgeFor, edgeKinds } from './generate.ts'

for (const kind of edgeKinds) {
  const file = new URL(`../${edgeFiles[kind]}`, import.meta.url)
  mkdirSync(new URL('.', file), { recursive: true })
  writeFileSync(file, edgeFor(kind))
}
