import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { commandOf } from './child.ts'
import { readHolder, takeLock } from './lock.mjs'
import { databaseRoles } from './roles.ts'
import type { DatabaseRole } from './roles.ts'

/** The state that `npm start` keeps between starts; every member is a secret or a port. */
export interface LocalState {
  readonly postgres: { readonly port?: number; readonly password: string }
  readonly redis: { readonly port?: number; readonly password: string }
  readonly rolePasswords: Readonly<Record<DatabaseRole, string>>
  /** Signs the credentials with which workflow runs call the CRM API. */
  readonly runTokenSecret: string
  /** Protects the secrets in the database: 32 bytes in base64. */
  readonly secretsKey: string
}

/** The data by which the `crm` command finds the running database; the file exists as long as `npm start` runs. */
export interface RunningInstallation {
  readonly ownerDatabaseUrl: string
  readonly redisUrl: string | undefined
  readonly baseUrl: string
  readonly secretsKey: string
  readonly pid: number
}

/** Reads the state of an earlier start, or makes new secrets. */
export function readState(dataDir: string): LocalState {
  return { ...newState(), ...readJson<LocalState>(stateFile(dataDir)) }
}

/** Saves the ports and secrets for the next start. */
export function writeState(dataDir: string, state: LocalState): void {
  writeSecret(stateFile(dataDir), state)
}

/** Writes the file about the running installation for the `crm` command; returns the function that removes it. */
export function announceRunning(dataDir: string, running: RunningInstallation): () => void {
  const file = join(dataDir, 'run.json')
  writeSecret(file, running)
  return () => rmSync(file, { force: true })
}

/** Fails when another start uses the folder. */
export function requireUnlocked(dataDir: string): void {
  const holder = readHolder(lockFile(dataDir))
  if (holder !== undefined && isStart(holder)) throw alreadyRunning(dataDir, holder)
}

/** Locks the folder for this process, so that no other start uses it; returns the function that unlocks it. */
export function lockDataDir(dataDir: string): () => void {
  const taken = makeLock(dataDir)
  if (typeof taken === 'number') throw alreadyRunning(dataDir, taken)
  return taken
}

function makeLock(dataDir: string): (() => void) | number {
  try {
    makeFolder(dataDir)
    return takeLock(lockFile(dataDir), isStart)
  } catch (error) {
    throw unusable(dataDir, error)
  }
}

/** Whether a process is a start: the id of a dead process may belong to another program by now. */
function isStart(pid: number): boolean {
  return commandOf(pid)?.includes('infra/local') === true
}

function alreadyRunning(dataDir: string, holder: number): DataDirError {
  return new DataDirError(
    `npm start is already running on ${dataDir} (process ${holder}); stop it first, or set DATA_DIR and PORT to run a second one.`,
  )
}

/** The error for a folder that a start cannot use: another start uses it, or it is not writable. */
export class DataDirError extends Error {}

function unusable(dataDir: string, error: unknown): DataDirError {
  return new DataDirError(
    `${dataDir} cannot be used (${(error as Error).message}); set DATA_DIR to a folder that you may write to.`,
  )
}

/** Makes a folder with its parents. Node's own way never ends where the system allows no folder, such as below /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  makeFolder(dirname(folder))
  try {
    mkdirSync(folder)
  } catch (error) {
    // Another start made it at this very moment.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

function newState(): LocalState {
  const rolePasswords = Object.fromEntries(databaseRoles.map((role) => [role, newPassword()])) as Record<
    DatabaseRole,
    string
  >
  return {
    postgres: { password: newPassword() },
    redis: { password: newPassword() },
    rolePasswords,
    runTokenSecret: newPassword(),
    secretsKey: randomBytes(32).toString('base64'),
  }
}

function newPassword(): string {
  return randomBytes(24).toString('hex')
}

function stateFile(dataDir: string): string {
  return join(dataDir, 'local.json')
}

function lockFile(dataDir: string): string {
  return join(dataDir, 'start.lock')
}

function readJson<T>(file: string): T | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T
  } catch {
    return undefined
  }
}

function writeSecret(file: string, content: unknown): void {
  // Written beside its place first: the passwords of a truncated file would be lost for good.
  const whole = `${file}.new`
  writeFileSync(whole, `${JSON.stringify(content, undefined, 2)}\n`, { mode: 0o600 })
  renameSync(whole, file)
}
