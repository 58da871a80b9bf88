import type { EntityType } from '@crm/permissions'
import * as z from 'zod'
import { byId, id } from './fields.ts'
import { data } from './standard.ts'

/** The most moves of a record that its times in stages are computed from, the newest first. */
export const stageTimeMovesMax = 200

/** Declares the operation that tells how long a record has been in each stage. */
export function stageTimesOperation<const Path extends `/${string}`, const Entity extends EntityType>(spec: {
  readonly path: Path
  readonly entity: Entity
  readonly noun: string
  /** The interface names the lists that are strict (docs/guide/lists.md). */
  readonly queryPolicy: 'strict' | 'lenient'
}) {
  return {
    stageTimes: {
      method: 'GET',
      path: `${spec.path}/{id}/stage-times`,
      summary: `Tell how long a ${spec.noun} has been in each stage`,
      description: `Adds up its stays of the last ${stageTimeMovesMax} moves, the first stage first.`,
      access: { all: [`VIEW_${spec.entity}`] },
      params: byId,
      query: z.object({}),
      queryPolicy: spec.queryPolicy,
      reply: data(
        200,
        z.object({
          stages: z.array(z.object({ stageId: id, seconds: z.int().min(0) })).max(stageTimeMovesMax + 1),
        }),
      ),
    },
  } as const
}
