// `npm run digests` asks the registry for the digests of the base images and writes them to infra/docker/digests.json;
// `npm run -s digests -- --args` prints them as arguments of a build, with those that name the release.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import manifest from '../../package.json' with { type: 'json' }
import { basesOf, buildArgs, pinned, releaseArgs, type Images, type Release } from './digests.ts'

const file = new URL('digests.json', import.meta.url)
const bases = basesOf(readFileSync(new URL('Dockerfile', import.meta.url), 'utf8'))
const { values } = parseArgs({ options: { args: { type: 'boolean', default: false } } })

try {
  if (values.args)
    console.log(buildArgs(bases, JSON.parse(readFileSync(file, 'utf8')) as Images), releaseArgs(releaseOfNow()))
  else await renew()
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}

function releaseOfNow(): Release {
  const [revision = '', created = ''] = execFileSync('git', ['log', '-1', '--format=%H %cI'], { encoding: 'utf8' })
    .trim()
    .split(' ')
  return { version: manifest.version, revision, created }
}

async function renew(): Promise<void> {
  const pins: Record<string, string> = {}
  for (const [name, image] of Object.entries(bases)) pins[name] = await pinned(image)
  writeFileSync(file, `${JSON.stringify(pins, undefined, 2)}\n`)
  for (const pin of Object.values(pins)) console.log(pin)
}
