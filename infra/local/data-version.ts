import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DataDirError } from './data-dir.ts'

/** The version of the service that uses, or last used, a data folder. */
export interface DataVersion {
  /** As in the project's package file, such as `0.1.0`. */
  readonly version: string
  /** The creation time of its newest migration, in milliseconds since 1970; two checkouts of one version differ in it. */
  readonly schema: number
}

/** Fails with a DataDirError when a newer version has used the folder. */
export function requireNoNewerData(dataDir: string, ours: DataVersion): void {
  const last = readVersion(dataDir)
  if (last === undefined || !isNewer(last, ours)) return
  throw new DataDirError(
    `${dataDir} was last used by ${last.version === ours.version ? 'a later state of version' : 'version'} ${last.version}, and this is ${ours.version}; start the newer one, or set DATA_DIR to another folder.`,
  )
}

/** Records in the folder the version that uses it from now on. */
export function markVersion(dataDir: string, ours: DataVersion): void {
  writeFileSync(versionFile(dataDir), `${JSON.stringify(ours, undefined, 2)}\n`)
}

function isNewer(one: DataVersion, other: DataVersion): boolean {
  return compareVersions(one.version, other.version) > 0 || one.schema > other.schema
}

/** Returns a number above 0 when the first is newer; any suffix of the three numbers is ignored. */
function compareVersions(one: string, other: string): number {
  const [a, b] = [one, other].map((version) => version.split('.').map((part) => Number.parseInt(part, 10)))
  return [0, 1, 2].map((at) => (a?.[at] ?? 0) - (b?.[at] ?? 0)).find((difference) => difference !== 0) ?? 0
}

function readVersion(dataDir: string): DataVersion | undefined {
  try {
    return JSON.parse(readFileSync(versionFile(dataDir), 'utf8')) as DataVersion
  } catch {
    return undefined
  }
}

function versionFile(dataDir: string): string {
  return join(dataDir, 'version.json')
}
