import { newId, schema, type Transaction, folded } from '@crm/db'
import { sql } from 'drizzle-orm'
import { noteAct } from '../../../records/agent-acts.ts'
import { unique } from '../../../records/owned/plan.ts'
import type { WriteContext } from '../../../records/owned/write.ts'

const { productTags } = schema

/** Returns the tags of a product in the spelling of the list of tags; unknown words become tags. */
export async function registerTags(tx: Transaction, context: WriteContext, tags: readonly string[]): Promise<string[]> {
  if (tags.length === 0) return []
  const { workspace, caller, at } = context
  const stamps = { workspaceId: workspace.id, createdById: caller.employee.id, createdAt: at, updatedAt: at }
  const made = await tx
    .insert(productTags)
    .values(
      unique(tags)
        .toSorted()
        .map((name) => ({ ...stamps, id: newId(), name })),
    )
    .onConflictDoNothing()
    .returning({ entityId: productTags.id, title: productTags.name })
  for (const tag of made) await noteAct(tx, context, { ...tag, entityType: 'PRODUCT_TAG', told: 'CREATED' })
  // The query waits for a concurrent deletion of a tag; after it, the product keeps its own word.
  const { rows } = await tx.execute<{ name: string }>(sql`
    SELECT coalesce(known.name, word) AS name FROM unnest(${sql.param([...tags])}::text[]) WITH ORDINALITY AS typed (word, place)
    LEFT JOIN LATERAL (
      SELECT name FROM ${productTags} WHERE workspace_id = ${workspace.id} AND ${folded(productTags.name)} = crm_fold(word)
      ORDER BY name = word DESC, is_twin LIMIT 1 FOR KEY SHARE
    ) AS known ON true ORDER BY place`)
  return unique(rows.map(({ name }) => name))
}
