// `npm run sboms -- --to FOLDER`: the packages in each image as a CycloneDX document, `crm-api.cdx.json` for example. The lockfile is read
// here because `npm sbom` leaves out packages that several workspaces share.
import { randomUUID } from 'node:crypto'
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A package of the lockfile, by its path. */
interface Locked {
  /** Only where the path does not say it. */
  readonly name?: string
  readonly version?: string
  readonly integrity?: string
  readonly license?: string
  /** The folder of a package of this project. */
  readonly resolved?: string
  readonly link?: true
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

type Lockfile = Readonly<Record<string, Locked>>

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

/** Returns the paths of all packages of production that a package of the project needs, its own path left out. */
function packagesBelow(packages: Lockfile, folder: string): readonly string[] {
  const found = new Set<string>()
  const waiting = [folder]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const { dependencies = {}, optionalDependencies = {} } = packages[path] ?? {}
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const needed = resolve(packages, path, name)
      if (needed === undefined || found.has(needed)) continue
      found.add(needed)
      waiting.push(needed)
    }
  }
  return [...found].toSorted()
}

/** Finds a package as Node does: in the nearest `node_modules` upwards. An optional one may be absent. */
function resolve(packages: Lockfile, from: string, name: string): string | undefined {
  for (let at = from; ; at = at.includes('/') ? dirname(at) : '') {
    const path = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`
    const locked = packages[path]
    if (locked) return locked.link ? locked.resolved : path
    if (at === '') return undefined
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
