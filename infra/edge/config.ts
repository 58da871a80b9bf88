import { commonConfig } from '@crm/runtime'
import { z } from 'zod'

/** Environment of the edge as a process of its own. */
export const edgeConfig = z.object({
  PORT: commonConfig.PORT.default(8080),
  HOST: z.string().default('::').describe('Address to listen on.'),
})
