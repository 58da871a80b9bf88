import type { Pool } from 'pg'
import { neededMigration } from './migrations.ts'

const askedEveryMs = 2_000

/** Makes a check whether the database lacks a migration that the code needs; it reads the database again only while one is missing. */
export function createSchemaCheck(pool: Pool): () => boolean | Promise<boolean> {
  let isUpToDate = false
  let answer: Promise<boolean> | undefined
  let askedAtMs = 0
  const ask = async (): Promise<boolean> => {
    const { rows } = await pool.query<{ newest: string | null }>(
      'SELECT max(created_at) AS newest FROM migrations.__drizzle_migrations',
    )
    return Number(rows[0]?.newest ?? 0) < (await neededMigration())
  }
  const check = async (): Promise<boolean> => {
    answer ??= ask()
    const isBehind = await answer.catch((error: unknown) => {
      // A broken connection says nothing about the schema.
      answer = undefined
      throw error
    })
    const nowMs = performance.now()
    if (isBehind && nowMs - askedAtMs >= askedEveryMs) {
      askedAtMs = nowMs
      answer = undefined
    }
    isUpToDate = !isBehind
    return isBehind
  }
  return () => (isUpToDate ? false : check())
}
