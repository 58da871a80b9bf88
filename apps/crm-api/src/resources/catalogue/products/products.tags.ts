import { newId, schema, type Transaction } from '@crm/db'
import { sql } from 'drizzle-orm'
import { unique } from '../../../records/owned/plan.ts'
import type { WriteContext } from '../../../records/owned/write.ts'

const { productTags } = schema

/** Returns the tags of a product in the spelling of the list of tags; unknown words become tags. */
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
  // The query waits for a concurrent deletion of a tag; after it, the product keeps its own word.
  const { rows } = await tx.execute<{ name: string }>(
    sql`SELECT name FROM ${productTags} WHERE workspace_id = ${workspace.id} AND lower(name) = ANY(ARRAY(SELECT lower(word) FROM unnest(${sql.param([...tags])}::text[]) word)) FOR KEY SHARE`,
  )
  const spelling = new Map(rows.map(({ name }) => [name.toLowerCase(), name]))
  return unique(tags.map((tag) => spelling.get(tag.toLowerCase()) ?? tag))
}
