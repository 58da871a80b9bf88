import { commonConfig } from '@crm/runtime'
import { z } from 'zod'
import { boundsConfig, proxiesInFront } from '../edge/config.ts'

/** The environment of `npm start`; all other variables are passed to the deployables unchanged. */
export const startConfig = z.object({
  PORT: commonConfig.PORT.min(1).default(8080).describe('The one public port.'),
  DATA_DIR: commonConfig.DATA_DIR,
  BASE_URL: commonConfig.BASE_URL.unwrap().optional().describe('Public address; http://localhost:$PORT unless told.'),
  DATABASE_URL: commonConfig.DATABASE_URL.optional().describe(
    'PostgreSQL to use instead of the embedded one, as the owner of the database.',
  ),
  REDIS_URL: commonConfig.REDIS_URL.describe('Redis to use instead of one started here.'),
  SECRETS_KEY: z
    .string()
    .optional()
    .describe('Key that protects the secrets in the database; one that the first start makes unless told.'),
  TRUSTED_PROXIES: proxiesInFront,
  ...boundsConfig,
  NODE_ENV: commonConfig.NODE_ENV.default('development'),
})
