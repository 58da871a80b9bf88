// `npm run edges` writes the edges that are configuration files, after a change of infra/routes.json. An operator names a folder of
// their own and the addresses of the deployables: `npm run edges -- --to /etc/crm --upstream booking=10.0.0.5:3000,booking=10.0.0.6:3000`.
import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { edgeFiles, edgeFor, edgeKinds, readUpstreams } from './generate.ts'

const { values } = parseArgs({
  options: { upstream: { type: 'string' }, brotli: { type: 'boolean', default: false }, to: { type: 'string' } },
})
const { upstream, brotli, to } = values

if ((upstream !== undefined || brotli) && to === undefined) {
  console.error('Name a folder by --to: the files in this repository know no installation.')
  process.exitCode = 1
} else {
  try {
    const upstreams = upstream === undefined ? {} : readUpstreams(upstream)
    for (const kind of edgeKinds) {
      const ours = fileURLToPath(new URL(`../${edgeFiles[kind]}`, import.meta.url))
      const file = to === undefined ? ours : join(to, basename(edgeFiles[kind]))
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, edgeFor(kind, { upstreams, brotli }))
      if (to !== undefined) console.log(file)
    }
  } catch (error) {
    console.error((error as Error).message)
    process.exitCode = 1
  }
}
