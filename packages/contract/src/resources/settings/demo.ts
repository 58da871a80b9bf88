import * as z from 'zod'
import { id } from '../../fields.ts'
import { settingsResource } from '../../resource.ts'
import { data } from '../../standard.ts'
import { jobStates } from '../jobs.ts'

const access = { all: ['MANAGE_WORKSPACE'] } as const
const path = '/api/settings/demo'

const number = (description: string) => z.int().meta({ description })

export const demo = settingsResource('settings.demo', {
  get: {
    method: 'GET',
    path,
    summary: 'Read which records of the demo are still there',
    access,
    reach: 'none',
    reply: data(
      200,
      z.object({
        isDemo: z.boolean().meta({ description: 'Whether anything of the demo is there' }),
        name: z.string().meta({ description: 'The name of the workspace, which its removal repeats' }),
        total: number('All records of the demo that are there'),
        kept: number('Those among them that the last removal left'),
        kinds: z.array(z.object({ kind: z.string(), count: z.int(), kept: z.int() })),
        job: z
          .object({ id, state: z.enum(jobStates), processed: z.int(), total: z.int() })
          .nullable()
          .meta({ description: 'The latest removal' }),
      }),
    ),
  },
  remove: {
    method: 'DELETE',
    path,
    summary: 'Remove the records of the demo, and nothing else',
    description:
      'Cannot be undone. `name` is the name of the workspace. `/api/jobs/{id}` tells the progress, also while another removal runs. A record of the demo stays, and is counted as kept, when something that people made themselves refers to it.',
    access,
    reach: { actsAs: 'everybody' },
    body: z.strictObject({ name: z.string().max(200) }),
    reply: data(202, z.object({ jobId: id })),
    errors: ['ACCESS_DENIED'],
  },
})
