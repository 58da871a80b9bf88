import { createDatabase, createPool, inTransaction, newId, schema } from '@crm/db'
import { createTestWorkspace, testDatabase } from '@crm/testkit'
import { and, eq, sql } from 'drizzle-orm'
import { createHash } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import {
  erasedPart,
  exportLines,
  firstPrevHash,
  isSigned,
  readEntries,
  sealEntries,
  verifyChain,
  type KeptHead,
  type ProvenEntry,
} from '../src/index.ts'

const database = await testDatabase()
const pool = createPool({ databaseUrl: database.ownerUrl, max: 20, applicationName: 'test' })
const db = createDatabase(pool)
afterAll(() => pool.end())
const { auditLog } = schema

const entry = (workspaceId: string, n = 0) => ({
  workspaceId,
  actorName: `Ada ${n}`,
  action: 'test.done',
  subjectType: 'TEST',
  summary: `Nümber ${n}`,
  address: '192.0.2.1',
  changes: [{ field: 'n', from: null, to: n }],
  data: { z: 1.5, a: [true, { ä: '\u20ac' }] },
})

async function chainOf(length: number): Promise<{ workspaceId: string; entries: ProvenEntry[] }> {
  const { workspaceId } = await createTestWorkspace(db)
  for (let n = 0; n < length; n += 1) await db.insert(auditLog).values(entry(workspaceId, n))
  await sealEntries(db, workspaceId)
  return { workspaceId, entries: await Array.fromAsync(readEntries(db, workspaceId)) }
}

it('is computed as documented, by other means', async () => {
  const { entries } = await chainOf(2)
  const sorted = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(sorted)
    if (value === null || typeof value !== 'object') return value
    return Object.fromEntries(
      Object.keys(value)
        .toSorted()
        .map((key) => [key, sorted((value as Record<string, unknown>)[key])]),
    )
  }
  const sha = (text: string) => createHash('sha256').update(text).digest('hex')
  let before = '0'.repeat(64)
  for (const {
    prevHash,
    hash,
    privateSalt,
    actorName,
    address,
    userAgent,
    summary,
    changes,
    via,
    ...rest
  } of entries) {
    const kept = via === null ? rest : { ...rest, via }
    expect(prevHash).toBe(before)
    const personal = JSON.stringify(sorted({ actorName, address, userAgent, summary, changes }))
    expect(kept.privateHash).toBe(sha(`${privateSalt}\n${personal}`))
    expect(hash).toBe(sha(`${before}\n${JSON.stringify(sorted(kept))}`))
    before = hash ?? ''
  }
  expect(entries.map(({ seq }) => seq)).toEqual([1, 2])
  expect(entries[0]?.prevHash).toBe(firstPrevHash)
})

it('loses no entry and leaves no gap when many write and several seal at once, and nobody waits for a writer', async () => {
  const { workspaceId } = await createTestWorkspace(db)
  const writers = 16
  const each = 25
  const held = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  // A long transaction has written an entry: the others neither wait for it nor leave a place for it.
  const long = inTransaction(db, undefined, async (tx) => {
    await tx.insert(auditLog).values(entry(workspaceId, -1))
    begun.resolve()
    await held.promise
  })
  await begun.promise
  const work = { isDone: false }
  const sealing = Promise.all(
    Array.from({ length: 3 }, async () => {
      while (!work.isDone) await sealEntries(db, workspaceId)
    }),
  )
  await Promise.all(
    Array.from({ length: writers }, async (_, writer) => {
      for (let n = 0; n < each; n += 1)
        await inTransaction(db, undefined, async (tx) => {
          await tx.insert(auditLog).values(entry(workspaceId, writer * each + n))
          if (n % 5 === 4) throw new Error('rolled back')
        }).catch(() => undefined)
    }),
  )
  held.resolve()
  await long
  work.isDone = true
  await sealing
  await sealEntries(db, workspaceId)
  const entries = await Array.fromAsync(readEntries(db, workspaceId))
  expect(entries).toHaveLength((writers * each * 4) / 5 + 1)
  expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, index) => index + 1))
  expect(await verifyChain(entries)).toMatchObject({ ok: true, entries: entries.length })
})

describe('the database', () => {
  const set = (text: string) => async (workspaceId: string) =>
    db.execute(sql.raw(`UPDATE audit_log SET ${text} WHERE workspace_id = '${workspaceId}' AND seq = 2`))

  it.each([
    ['the action', set("action = 'other'")],
    ['the summary', set("summary = 'other'")],
    ['the place', set('seq = 9')],
    ['the seal', set("hash = 'x'")],
    ['half of the personal part', set("summary = '', private_salt = NULL")],
    ['a row', (id: string) => db.execute(sql.raw(`DELETE FROM audit_log WHERE workspace_id = '${id}' AND seq = 3`))],
  ])('refuses a change of %s', async (_what, change) => {
    const { workspaceId } = await chainOf(3)
    await expect(change(workspaceId)).rejects.toMatchObject({
      cause: { message: 'An entry of the audit log cannot be changed or deleted' },
    })
  })

  it('lets the log go with its workspace', async () => {
    const { workspaceId } = await chainOf(1)
    await db.execute(sql`DELETE FROM number_sequences WHERE workspace_id = ${workspaceId}`)
    await db.execute(sql`SET session_replication_role = DEFAULT`)
    await db.delete(schema.employeeRoles).where(eq(schema.employeeRoles.workspaceId, workspaceId))
    await db.delete(schema.workspaces).where(eq(schema.workspaces.id, workspaceId))
    expect(await db.select().from(auditLog).where(eq(auditLog.workspaceId, workspaceId))).toEqual([])
  })
})

describe('verification', () => {
  const change = (at: number, values: Partial<ProvenEntry>) => (entries: ProvenEntry[]) =>
    entries.map((one, index) => (index === at ? { ...one, ...values } : one))

  it.each([
    ['an action', change(2, { action: 'other' }), 'HASH', 3],
    ['data', change(2, { data: {} }), 'HASH', 3],
    ['a hash', change(2, { hash: 'f'.repeat(64) }), 'HASH', 3],
    ['a summary', change(2, { summary: 'other' }), 'PRIVATE', 3],
    ['an address', change(0, { address: null }), 'PRIVATE', 1],
    ['an erasure that no entry names', change(1, { ...erasedPart }), 'PRIVATE', 2],
    ['a missing entry', (entries: ProvenEntry[]) => entries.toSpliced(1, 1), 'GAP', 2],
    ['a missing beginning', (entries: ProvenEntry[]) => entries.slice(2), 'GAP', 2],
    ['a missing end', (entries: ProvenEntry[]) => entries.slice(0, 3), 'TRUNCATED', 4],
    ['two that changed places', ([a, b, ...rest]: ProvenEntry[]) => [b, a, ...rest] as ProvenEntry[], 'GAP', 3],
  ] as const)('finds %s', async (_what, alter, reason, brokenAt) => {
    const { entries } = await chainOf(5)
    const last = entries.at(-1)
    const heads = [{ seq: last?.seq ?? 0, hash: last?.hash ?? '' }]
    expect(await verifyChain(entries, { heads })).toMatchObject({ ok: true, entries: 5, brokenAt: null, reason: null })
    expect(await verifyChain(alter(entries), { heads })).toMatchObject({ ok: false, reason, brokenAt })
  })

  it('finds a chain that was written anew, by a head that was signed before', async () => {
    const [one, other] = [await chainOf(3), await chainOf(4)]
    const { seq, hash } = one.entries[2] as ProvenEntry
    expect(await verifyChain(other.entries, { heads: [{ seq: seq ?? 0, hash: hash ?? '' }] })).toMatchObject({
      ok: false,
      reason: 'HASH',
      brokenAt: 3,
    })
  })

  it('accepts an erasure that a later entry names', async () => {
    const { workspaceId } = await chainOf(3)
    await db
      .update(auditLog)
      .set(erasedPart)
      .where(and(eq(auditLog.workspaceId, workspaceId), eq(auditLog.seq, 2)))
    await db.insert(auditLog).values({ ...entry(workspaceId), action: 'user.erased', data: { auditEntries: [[2, 2]] } })
    await sealEntries(db, workspaceId)
    expect(await verifyChain(readEntries(db, workspaceId))).toMatchObject({ ok: true, entries: 4 })
  })
})

it('exports the part of a time without gaps, and signs where it begins and ends', async () => {
  const { workspaceId } = await createTestWorkspace(db)
  const id = newId()
  for (const [n, at] of ['2026-01-01', '2026-01-03', '2026-01-02', '2026-01-04'].entries()) {
    await db.insert(auditLog).values({ ...entry(workspaceId, n), at: `${at}T00:00:00.000Z`, actorId: id })
    await sealEntries(db, workspaceId)
  }
  const key = Buffer.alloc(32, 'k')
  const kept: KeptHead[] = []
  const part = exportLines(
    db,
    { workspaceId, from: '2026-01-02T12:00:00.000Z' },
    { key, at: '2026-02-01T00:00:00.000Z', keep: async (head) => void kept.push(head) },
  )
  const lines = (await Array.fromAsync(part)).map((line) => JSON.parse(line))
  expect(lines.slice(0, -1).map(({ seq }) => seq)).toEqual([2, 3, 4])
  const { head } = lines.at(-1)
  expect(Object.keys(head)).toEqual(['seq', 'hash', 'at', 'signature'])
  const stretch = { workspaceId, firstSeq: 2, ...head }
  expect(isSigned([Buffer.alloc(32), key], stretch, head.signature)).toBe(true)
  expect(isSigned([key], { ...stretch, firstSeq: 3 }, head.signature)).toBe(false)
  expect(kept).toEqual([{ workspaceId, firstSeq: 2, ...head }])
})
