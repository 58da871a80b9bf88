import { createDatabase, createPool, inTransaction, newId, schema } from '@crm/db'
import { createTestWorkspace, testDatabase } from '@crm/testkit'
import { eq } from 'drizzle-orm'
import { randomBytes } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  createSecrets,
  environmentKeys,
  isSealed,
  secretsConfig,
  SecretUnreadableError,
  wrapperOf,
} from '../src/index.ts'

const database = await testDatabase()
const pool = createPool({ databaseUrl: database.ownerUrl, max: 8, applicationName: 'test' })
const db = createDatabase(pool)
afterAll(() => pool.end())

const [first, second] = [randomBytes(32), randomBytes(32)]
const placeIn = (workspaceId: string) => ({ workspaceId, table: 'seeds', column: 'seed', row: newId() })

describe('a sealed secret', () => {
  it('opens in its place, and looks different each time', async () => {
    const { workspaceId } = await createTestWorkspace(db)
    const place = placeIn(workspaceId)
    const secrets = createSecrets(environmentKeys(first))
    const [one, other] = [await secrets.seal(db, place, 'Sësame'), await secrets.seal(db, place, 'Sësame')]
    expect([isSealed(one), one === other, one.includes('same')]).toEqual([true, false, false])
    expect(await secrets.open(db, place, one)).toBe('Sësame')
    expect(await createSecrets(environmentKeys(first)).open(db, place, other)).toBe('Sësame')
  })

  it.each(['table', 'column', 'row', 'workspaceId'] as const)('opens nowhere else: another %s', async (part) => {
    const { workspaceId } = await createTestWorkspace(db)
    const elsewhere = (await createTestWorkspace(db)).workspaceId
    const secrets = createSecrets(environmentKeys(first))
    const place = placeIn(workspaceId)
    const sealed = await secrets.seal(db, place, 'Sesame')
    await secrets.seal(db, placeIn(elsewhere), 'makes a key there')
    const moved = { ...place, [part]: part === 'workspaceId' ? elsewhere : 'other' }
    await expect(secrets.open(db, moved, sealed)).rejects.toBeInstanceOf(SecretUnreadableError)
  })

  it('does not open when one of its letters, or the stored key, was changed', async () => {
    const { workspaceId } = await createTestWorkspace(db)
    const place = placeIn(workspaceId)
    const sealed = await createSecrets(environmentKeys(first)).seal(db, place, 'Sesame')
    const changed = `${sealed.slice(0, -3)}${sealed.at(-3) === 'A' ? 'B' : 'A'}${sealed.slice(-2)}`
    const { open } = createSecrets(environmentKeys(first))
    await expect(open(db, place, changed)).rejects.toBeInstanceOf(SecretUnreadableError)
    await expect(open(db, place, 'Sesame')).rejects.toBeInstanceOf(SecretUnreadableError)
    await db
      .update(schema.dataKeys)
      .set({ wrapped: randomBytes(60) })
      .where(eq(schema.dataKeys.workspaceId, workspaceId))
    await expect(createSecrets(environmentKeys(first)).open(db, place, sealed)).rejects.toBeInstanceOf(
      SecretUnreadableError,
    )
  })

  it.each([
    ['lost', environmentKeys(undefined), /SECRETS_KEY is not set/],
    ['wrong', environmentKeys(second), /SECRETS_KEY_PREVIOUS/],
  ])(
    'stays closed, and nothing new is sealed, while the key is %s; the right one opens it again',
    async (_how, wrapper, words) => {
      const { workspaceId } = await createTestWorkspace(db)
      const place = placeIn(workspaceId)
      const sealed = await createSecrets(environmentKeys(first)).seal(db, place, 'Sesame')
      const without = createSecrets(wrapper)
      await expect(without.open(db, place, sealed)).rejects.toThrow(words)
      await expect(without.seal(db, place, 'Sesame')).rejects.toThrow(words)
      expect(await createSecrets(environmentKeys(second, [first])).open(db, place, sealed)).toBe('Sesame')
    },
  )

  it('is sealed under one key by many at once, and a key of a transaction that failed is forgotten', async () => {
    const { workspaceId } = await createTestWorkspace(db)
    const place = placeIn(workspaceId)
    const secrets = createSecrets(environmentKeys(first))
    const failed = inTransaction(db, undefined, async (tx) => {
      const sealed = await secrets.seal(tx, place, 'gone')
      expect(await secrets.open(tx, place, sealed)).toBe('gone')
      throw new Error('rolled back')
    })
    await expect(failed).rejects.toThrow('rolled back')
    const sealed = await Promise.all(
      Array.from({ length: 20 }, (_, n) => createSecrets(environmentKeys(first)).seal(db, place, `secret ${n}`)),
    )
    const opened = await Promise.all(sealed.map((each) => secrets.open(db, place, each)))
    expect(opened).toEqual(Array.from({ length: 20 }, (_, n) => `secret ${n}`))
    const keys = await db.select().from(schema.dataKeys).where(eq(schema.dataKeys.workspaceId, workspaceId))
    expect(keys).toHaveLength(1)
  })
})

describe('the keys of the environment', () => {
  const config = z.object(secretsConfig)

  it('are 32 bytes in base64', () => {
    const keys = config.parse({
      SECRETS_KEY: first.toString('base64'),
      SECRETS_KEY_PREVIOUS: `${second.toString('base64')}, `,
    })
    expect([keys.SECRETS_KEY, keys.SECRETS_KEY_PREVIOUS]).toEqual([first, [second]])
    expect(wrapperOf(config.parse({})).id).toBe('')
  })

  it.each([randomBytes(16).toString('base64'), 'not a key', `${'é'.repeat(43)}=`])(
    'are refused when they are %s',
    (text) => {
      expect(config.safeParse({ SECRETS_KEY: text }).success).toBe(false)
    },
  )
})
