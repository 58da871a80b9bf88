import { sql, type SQL } from 'drizzle-orm'

/** Notifications that wait longer for their mail are not mailed any more. */
export const mailTriedHours = 24

/** A mail of the digest is due within a day. */
const digestHoursMax = 24

/** Returns SQL for the condition under which the notification `n` may still be mailed, at a moment. */
export function waitsForMail(at: SQL | string): SQL {
  return sql`n.mailed_at IS NULL AND n.read_at IS NULL
    AND n.created_at > ${at}::timestamptz - make_interval(hours => ${mailTriedHours + digestHoursMax})`
}
