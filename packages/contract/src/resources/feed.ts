import { entitiesWith, kinds } from '@crm/model'
import * as z from 'zod'
import { entityTypeName, entityTypeNames, id } from '../fields.ts'
import { enumFilter, personFilter } from '../filters.ts'
import { booleanParam, cursorList, rangeParam } from '../lists.ts'
import { resource } from '../resource.ts'
import { byRecord, timelineEntry, timelineKinds } from './comments.ts'

/** The most linked records whose history a feed reads, the newest first. */
export const feedRecordsMax = 2_000

/** The most characters of a text that a sentence of a feed quotes. */
export const feedQuoteMax = 200

const entry = timelineEntry.extend({
  record: z.object({ entityType: z.string(), id, title: z.string(), url: z.string() }),
  text: z.string().meta({ description: 'What happened, as a sentence' }),
})

const shortEntry = z.object({
  occurredAt: z.string(),
  kind: z.enum(timelineKinds),
  record: z.string().meta({ description: 'For example deal:<uuid>' }),
  text: z.string(),
})

const item = z.union([entry, shortEntry])
export type FeedItem = z.output<typeof item>

/** The parameters that name the record of a feed, by its entity type. */
export const feedAnchors = Object.fromEntries(
  entitiesWith('hub').map((entity) => [entity, `${kinds[entity].noun}Id`]),
) as { readonly [Entity in Hub]: AnchorOf<Entity> }
type Hub = ReturnType<typeof entitiesWith<'hub'>>[number]
type AnchorOf<Entity extends Hub> = `${(typeof kinds)[Entity]['noun']}Id`

const anchors = {
  ...(Object.fromEntries(Object.values(feedAnchors).map((param) => [param, id.optional()])) as {
    [Entity in Hub as AnchorOf<Entity>]: z.ZodOptional<typeof id>
  }),
  entityType: entityTypeName.optional().meta({ description: 'With entityId: one record' }),
  entityId: id.optional(),
}

const list = cursorList(item, {
  ...anchors,
  occurredFrom: rangeParam('from').optional(),
  occurredTo: rangeParam('to').optional(),
  kinds: enumFilter({ values: timelineKinds }).optional(),
  types: entityTypeNames.optional(),
  actorId: personFilter.optional(),
  viaId: id.optional(),
  compact: booleanParam.optional(),
})

export const feed = resource('feed', null, {
  list: {
    method: 'GET',
    path: '/api/feed',
    summary: 'List what happened, newest first',
    description:
      'Of a company, contact, deal, lead, project or any one record with all that hangs on it, or of everything you may see.',
    access: byRecord,
    queryPolicy: 'strict',
    ...list,
    reply: {
      ...list.reply,
      body: list.reply.body.extend({
        truncated: z
          .literal(true)
          .optional()
          .meta({ description: `More than ${feedRecordsMax} records hang on it; only the newest ones are told of` }),
      }),
    },
  },
})
