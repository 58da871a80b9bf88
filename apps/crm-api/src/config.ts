import { parseCidrs } from '@crm/egress'
import { commonConfig, ConfigError, readBy } from '@crm/runtime'
import type { BucketOptions } from '@crm/storage'
import { z } from 'zod'

/** The environment of the CRM API. */
export const crmApiConfig = z.object({
  ...commonConfig,
  RUN_TOKEN_SECRET: z
    .string()
    .min(32)
    .optional()
    .describe('Secret shared with the dispatcher; it signs the credentials with which workflow runs call the API.'),
  OUTBOUND_ALLOW_CIDRS: z
    .string()
    .default('')
    .transform(readBy(parseCidrs))
    .describe('Comma-separated private ranges that automation may reach all the same; for tests and private networks.'),
  SMTP_URL: z.url().optional().describe('SMTP server for mail; without it each message becomes a file in DATA_DIR/mail.'),
  MAIL_FROM: z.email().optional().describe('Address that mail comes from; bookings@ the host of BASE_URL unless told.'),
  FILE_MAX_MB: z.coerce.number().int().min(1).max(1_000).default(25).describe('Largest file that can be uploaded, in megabytes.'),
  S3_ENDPOINT: z.url({ protocol: /^https?$/ }).optional().describe('S3-compatible service that keeps the content of files; without it they are kept in DATA_DIR/files.'),
  S3_BUCKET: z.string().min(1).optional().describe('Bucket of that service; it must exist.'),
  S3_REGION: z.string().min(1).default('us-east-1').describe('Region of the bucket.'),
  S3_ACCESS_KEY_ID: z.string().min(1).optional().describe('Access key of that service.'),
  S3_SECRET_ACCESS_KEY: z.string().min(1).optional().describe('Secret that belongs to the access key.'),
  DATABASE_POOL_MAX: z.coerce.number().int().min(1).max(200).default(10).describe('Most connections to PostgreSQL.'),
})

/** The bucket that the environment names; undefined without one, and a sentence when something of it is missing. */
export function bucketOf(config: CrmApiConfig): BucketOptions | undefined {
  const { S3_ENDPOINT: endpoint, S3_BUCKET: name, S3_REGION: region, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = config
  if (endpoint && name && accessKeyId && secretAccessKey) return { endpoint, name, region, accessKeyId, secretAccessKey }
  if (!endpoint && !name && !accessKeyId && !secretAccessKey) return undefined
  throw new ConfigError(['S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY go together'])
}

export type CrmApiConfig = z.output<typeof crmApiConfig>
