import { schema, type Executor } from '@crm/db'
import { and, desc, eq } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import { createHash, randomBytes } from 'node:crypto'
import { decrypt, encrypt, keyBytes, SecretUnreadableError, type KeyWrapper } from './key-wrapper.ts'

const { dataKeys } = schema

/** The place of a secret: a sealed value opens there and nowhere else. */
export interface SecretPlace {
  readonly workspaceId: string
  readonly table: string
  readonly column: string
  /** The key of the row within its workspace. */
  readonly row: string
}

/** Seals secrets before they are stored, and opens them for the code that uses them. */
export interface Secrets {
  /** Whether there is a key; without one, columns of earlier versions stay plain and nothing else is stored. */
  readonly canSeal: boolean
  /** Encrypts a secret for its place, under the newest key of the workspace. Fails with SecretUnreadableError without a usable key. */
  seal(db: Executor, place: SecretPlace, plain: string): Promise<string>
  /** Whether the given keys open a data key. */
  canOpen(dataKey: typeof dataKeys.$inferSelect): Promise<boolean>
  /** Returns the secret of a sealed value. Fails with SecretUnreadableError. */
  open(db: Executor, place: SecretPlace, sealed: string): Promise<string>
}

/** `check` tells two keys of one version apart: the transaction that made the first one may have failed. */
const form = /^sealed:1:(?<version>\d{1,9})-(?<check>[0-9a-f]{8}):(?<content>[\w-]+)$/
const cachedKeys = 5_000

/** Whether a stored text has the form of a sealed secret. */
export function isSealed(stored: string): boolean {
  return form.test(stored)
}

/** Returns the version of the data key that sealed a value; null for a plain text. */
export function versionOf(stored: string): number | null {
  const version = form.exec(stored)?.groups?.['version']
  return version === undefined ? null : Number(version)
}

/** Creates the sealing of secrets. Opened data keys stay in memory, so that a key service is not asked for each secret. */
export function createSecrets(wrapper: KeyWrapper): Secrets {
  const known = new LRUCache<string, Buffer>({ max: cachedKeys })

  const unwrap = ({ workspaceId, version, wrapped, wrappedBy }: typeof dataKeys.$inferSelect): Promise<Buffer> =>
    wrapper.unwrap(wrapped, wrappedBy, wrapContext(workspaceId, version))

  return {
    canSeal: wrapper.id !== '',
    canOpen: (dataKey) =>
      unwrap(dataKey).then(
        () => true,
        () => false,
      ),
    seal: async (db, place, plain) => {
      const newest = (await newestKey(db, place.workspaceId)) ?? (await addKey(db, wrapper, place.workspaceId, 1))
      const dataKey = await unwrap(newest)
      const content = encrypt(dataKey, Buffer.from(plain), contextOf(place))
      return `sealed:1:${newest.version}-${checkOf(dataKey)}:${content.toString('base64url')}`
    },
    open: async (db, place, sealed) => {
      const { version, check, content } = form.exec(sealed)?.groups ?? {}
      if (version === undefined || check === undefined || content === undefined)
        throw new SecretUnreadableError('A stored secret is not in its sealed form')
      const name = `${place.workspaceId}:${Number(version)}:${check}`
      const dataKey = known.get(name) ?? (await unwrap(await requireKey(db, place.workspaceId, Number(version))))
      const plain = decrypt(dataKey, Buffer.from(content, 'base64url'), contextOf(place)).toString()
      known.set(name, dataKey)
      return plain
    },
  }
}

function checkOf(dataKey: Buffer): string {
  return createHash('sha256').update('crm data key\n').update(dataKey).digest('hex').slice(0, 8)
}

/** Makes a data key of a workspace. Another process may make the same version first; that one counts. */
export async function addKey(
  db: Executor,
  wrapper: KeyWrapper,
  workspaceId: string,
  version: number,
): Promise<typeof dataKeys.$inferSelect> {
  const wrapped = await wrapper.wrap(randomBytes(keyBytes), wrapContext(workspaceId, version))
  await db.insert(dataKeys).values({ workspaceId, version, wrapped, wrappedBy: wrapper.id }).onConflictDoNothing()
  return requireKey(db, workspaceId, version)
}

export async function newestKey(db: Executor, workspaceId: string): Promise<typeof dataKeys.$inferSelect | undefined> {
  const [row] = await db
    .select()
    .from(dataKeys)
    .where(eq(dataKeys.workspaceId, workspaceId))
    .orderBy(desc(dataKeys.version))
    .limit(1)
  return row
}

async function requireKey(db: Executor, workspaceId: string, version: number): Promise<typeof dataKeys.$inferSelect> {
  const [row] = await db
    .select()
    .from(dataKeys)
    .where(and(eq(dataKeys.workspaceId, workspaceId), eq(dataKeys.version, version)))
  if (!row) throw new SecretUnreadableError('The key of a stored secret is not in the database')
  return row
}

export function wrapContext(workspaceId: string, version: number): string {
  return `data key\n${workspaceId}\n${version}`
}

function contextOf({ workspaceId, table, column, row }: SecretPlace): string {
  return [workspaceId, table, column, row].join('\n')
}
