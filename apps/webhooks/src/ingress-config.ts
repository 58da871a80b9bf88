import { commonConfig } from '@crm/runtime'
import { z } from 'zod'

/** The number of connections that a process may have. */
export const poolMax = z.coerce.number().int().min(1).max(200)

/** The environment of the ingress. */
export const ingressConfig = z.object({
  ...commonConfig,
  DATABASE_POOL_MAX: poolMax.default(10).describe('Most connections to PostgreSQL.'),
})
