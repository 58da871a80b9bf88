import { dirname } from 'node:path'

/** A package of the lockfile, by its path. */
export interface Locked {
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
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
}

/** The packages of a lockfile by their paths. */
export type Lockfile = Readonly<Record<string, Locked>>

/** Returns the paths of all packages of production that a package of the project needs, its own path left out. */
export function packagesBelow(packages: Lockfile, folder: string): readonly string[] {
  const found = new Set<string>()
  const waiting = [folder]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    for (const name of neededBy(packages[path])) {
      const needed = resolve(packages, path, name)
      if (needed === undefined || found.has(needed)) continue
      found.add(needed)
      waiting.push(needed)
    }
  }
  return [...found].toSorted()
}

function neededBy({
  dependencies = {},
  optionalDependencies = {},
  peerDependencies = {},
  peerDependenciesMeta = {},
}: Locked = {}): readonly string[] {
  const peers = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true)
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]
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
