import { ConfigError, loadConfig } from '@crm/runtime'
import { bucketOf } from '@crm/storage'
import { describe, expect, it } from 'vitest'
import { crmApiConfig } from './config.ts'

const load = (env: Record<string, string>) =>
  loadConfig(crmApiConfig, { NODE_ENV: 'test', PORT: '0', DATABASE_URL: 'postgres://crm_api@127.0.0.1/crm', ...env })
const bucket = {
  S3_ENDPOINT: 'https://s3.example.com',
  S3_BUCKET: 'files',
  S3_ACCESS_KEY_ID: 'id',
  S3_SECRET_ACCESS_KEY: 'secret',
}

describe('the place of files', () => {
  it('is the folder unless a bucket is named', () => {
    expect(bucketOf(load({}))).toBeUndefined()
    expect(bucketOf(load({ ...bucket, S3_REGION: 'eu-central-1' }))).toEqual({
      endpoint: 'https://s3.example.com',
      name: 'files',
      region: 'eu-central-1',
      accessKeyId: 'id',
      secretAccessKey: 'secret',
    })
    expect(bucketOf(load(bucket))?.region).toBe('us-east-1')
  })

  it.each(Object.keys(bucket))('is refused without %s, and no value is told', (missing) => {
    const config = load(Object.fromEntries(Object.entries(bucket).filter(([name]) => name !== missing)))
    expect(() => bucketOf(config)).toThrow(ConfigError)
    expect(() => bucketOf(config)).not.toThrow(/secret\b/)
  })

  it.each(['0', '1001', 'many', '1.5'])('refuses FILE_MAX_MB=%s', (value) =>
    expect(() => load({ FILE_MAX_MB: value })).toThrow(/FILE_MAX_MB/),
  )
})
