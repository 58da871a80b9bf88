// `npm run sboms -- --to FOLDER`: the packages in each image as a CycloneDX document, `crm-api.cdx.json` for example. The lockfile is read
// here because `npm sbom` leaves out packages that several workspaces share.
import { randomUUID } from 'node:crypto'
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { packagesBelow, type Locked, type Lockfile } from './packages.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

const { values } = parseArgs({ options: { to: { type: 'string' } } })
if (values.to === undefined) {
  console.error('Name a folder by --to')
  process.exitCode = 1
} else {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Lockfile }
  mkdirSync(values.to, { recursive: true })
  const apps = globSync('apps/*/package.json', { cwd: root }).toSorted().map(dirname)
  // The edge is no package. Everything that it imports is a part of the runtime.
  const images = [...apps.map((folder) => [basename(folder), folder] as const), ['edge', 'packages/runtime'] as const]
  for (const [name, folder] of images) {
    const found = packagesBelow(packages, folder)
    const file = join(values.to, `${name}.cdx.json`)
    writeFileSync(file, `${JSON.stringify(sbomOf(packages, name, folder, found), undefined, 2)}\n`)
    console.log(`${file}  ${found.length} packages`)
  }
}

function sbomOf(packages: Lockfile, name: string, folder: string, found: readonly string[]): object {
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    serialNumber: `urn:uuid:${randomUUID()}`,
    version: 1,
    metadata: {
      timestamp: new Date().toISOString(),
      component: {
        type: 'application',
        name: `workspace-crm/${name}`,
        version: packages[folder]?.version,
      },
    },
    components: found.map((path) => componentOf(path, packages[path] ?? {})),
  }
}

function componentOf(path: string, { name: ownName, version, integrity, license }: Locked): object {
  const name = ownName ?? path.split('node_modules/').at(-1) ?? path
  const [algorithm, digest] = integrity?.split('-', 2) ?? []
  return {
    type: 'library',
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    ...(license === undefined ? {} : { licenses: [{ expression: license }] }),
    ...(algorithm === 'sha512' && digest !== undefined
      ? { hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }] }
      : {}),
  }
}
