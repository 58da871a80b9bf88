import { viaTypes } from '@crm/permissions'
import * as z from 'zod'
import { id } from './fields.ts'

/** The way by which somebody did something. */
export const via = z
  .object({ type: z.enum(viaTypes), id: id.nullable(), name: z.string().nullable() })
  .nullable()
  .meta({
    description:
      'By which way: the key, client, workflow or import with its name of then; a session has no id. null for entries from before it was kept',
  })
