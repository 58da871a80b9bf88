import { ConfigError } from '@crm/runtime'
import { z } from 'zod'
import type { BucketOptions } from './bucket.ts'

/** The environment variables of a bucket, the same for all deployables that keep files in it. */
export const bucketConfig = {
  S3_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('S3-compatible service that keeps the content of files; without it they are kept in DATA_DIR/files.'),
  S3_BUCKET: z.string().min(1).optional().describe('Bucket of that service; it must exist.'),
  S3_REGION: z.string().min(1).default('us-east-1').describe('Region of the bucket.'),
  S3_ACCESS_KEY_ID: z.string().min(1).optional().describe('Access key of that service.'),
  S3_SECRET_ACCESS_KEY: z.string().min(1).optional().describe('Secret that belongs to the access key.'),
}

/** Returns the bucket that the environment names; undefined without one, and a sentence when a part of it is missing. */
export function bucketOf(config: z.output<z.ZodObject<typeof bucketConfig>>): BucketOptions | undefined {
  const {
    S3_ENDPOINT: endpoint,
    S3_BUCKET: name,
    S3_REGION: region,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
  } = config
  if (endpoint && name && accessKeyId && secretAccessKey)
    return { endpoint, name, region, accessKeyId, secretAccessKey }
  if (!endpoint && !name && !accessKeyId && !secretAccessKey) return undefined
  throw new ConfigError(['S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY go together'])
}
