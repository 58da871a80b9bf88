import * as z from 'zod'
import { id, instant } from '../../fields.ts'
import { pagedList, usualPages } from '../../lists.ts'
import { settingsResource } from '../../resource.ts'

export const automationTypes = ['WORKFLOW', 'RULE'] as const
export const automationStates = ['DRAFT', 'ON', 'PAUSED'] as const

const automation = z.object({
  id,
  type: z.enum(automationTypes),
  name: z.string(),
  state: z.enum(automationStates),
  trigger: z.record(z.string(), z.unknown()),
  steps: z.array(z.record(z.string(), z.unknown())).meta({ description: 'The actions of a rule are shown as steps' }),
  runsOfWeek: z.int().meta({ description: 'Runs that began in the last 7 days, without tests' }),
  failuresOfWeek: z.int().meta({ description: 'How many of these runs failed' }),
  createdAt: instant,
  updatedAt: instant,
})

export const automations = settingsResource('settings.automations', {
  list: {
    method: 'GET',
    path: '/api/settings/automations',
    summary: 'List workflows and automation rules together, newest first, with their runs of the last 7 days',
    access: { all: ['MANAGE_WORKFLOWS'] },
    reach: 'none',
    ...pagedList(automation, usualPages, {
      state: z.enum(automationStates).optional(),
      search: z.string().max(200).optional(),
    }),
  },
})
