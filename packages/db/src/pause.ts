import type { Pool } from 'pg'

/** SQL: whether mail, requests and runs may leave the installation. They are stopped between a restore and `crm resume`. */
export const maySend = 'NOT EXISTS (SELECT FROM installation WHERE paused_at IS NOT NULL)'

/** Whether mail, requests and runs may leave the installation now. */
export async function readMaySend(pool: Pick<Pool, 'query'>): Promise<boolean> {
  const { rows } = await pool.query<{ may: boolean }>({ name: 'may-send', text: `SELECT ${maySend} AS may` })
  return rows[0]?.may === true
}
