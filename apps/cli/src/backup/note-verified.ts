import { schema, type Executor } from '@crm/db'
import { sql } from 'drizzle-orm'

const { installation } = schema

/** Writes the time of a verified backup into the installation, unless a newer one is known. */
export async function noteVerified(db: Executor, createdAt: string): Promise<void> {
  await db
    .insert(installation)
    .values({ backupAt: createdAt })
    .onConflictDoUpdate({
      target: installation.isOnly,
      set: { backupAt: sql`greatest(${installation.backupAt}, excluded.backup_at)` },
    })
}
