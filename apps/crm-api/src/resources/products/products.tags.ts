import { newId, schema, type Transaction } from '@crm/db'
import { sql } from 'drizzle-orm'
import { unique } from '../../records/owned/plan.ts'
import type { WriteContext } from '../../records/owned/write.ts'

const { productTags } = schema

/** The tags of a product as the list of tags spells them; words that are new become tags. */
export async function registerTags(
  tx: Transaction,
  { workspace, caller, at }: WriteContext,
  tags: readonly string[],
): Promise<string[]> {
  if (tags.length === 0) return []
  const stamps = { workspaceId: workspace.id, createdById: caller.employee.id, createdAt: at, updatedAt: at }
  await tx
    .insert(productTags)
    .values(
      unique(tags)
        .toSorted()
        .map((name) => ({ ...stamps, id: newId(), name })),
    )
    .onConflictDoNothing()
  // A tag that is about to be deleted is waited for; then the product has its own word for it.
  const { rows } = await tx.execute<{ name: string }>(
    sql`SELECT name FROM ${productTags} WHERE workspace_id = ${workspace.id} AND lower(name) = ANY(ARRAY(SELECT lower(word) FROM unnest(${sql.param([...tags])}::text[]) word)) FOR KEY SHARE`,
  )
  const spelling = new Map(rows.map(({ name }) => [name.toLowerCase(), name]))
  return unique(tags.map((tag) => spelling.get(tag.toLowerCase()) ?? tag))
}
