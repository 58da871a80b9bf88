import { commonConfig } from '@crm/runtime'
import { z } from 'zod'

const { PORT, HOST, LOG_LEVEL, LOG_CLIENT, TRUSTED_PROXIES, DRAIN_SECONDS } = commonConfig

/** Environment of the console's file server. */
export const consoleConfig = z.object({ PORT, HOST, LOG_LEVEL, LOG_CLIENT, TRUSTED_PROXIES, DRAIN_SECONDS })
