// `npm run digests` asks the registry for the digests of the base images and writes them to infra/docker/digests.json;
// `npm run -s digests -- --args` prints them as arguments of a build.
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { basesOf, buildArgs, pinned, type Images } from './digests.ts'

const file = new URL('digests.json', import.meta.url)
const bases = basesOf(readFileSync(new URL('Dockerfile', import.meta.url), 'utf8'))
const { values } = parseArgs({ options: { args: { type: 'boolean', default: false } } })

try {
  if (values.args) console.log(buildArgs(bases, JSON.parse(readFileSync(file, 'utf8')) as Images))
  else await renew()
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}

async function renew(): Promise<void> {
  const pins: Record<string, string> = {}
  for (const [name, image] of Object.entries(bases)) pins[name] = await pinned(image)
  writeFileSync(file, `${JSON.stringify(pins, undefined, 2)}\n`)
  for (const pin of Object.values(pins)) console.log(pin)
}
