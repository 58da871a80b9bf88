import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ConfigError, commonConfig, loadConfig } from './config.ts'

const schema = z.object({ ...commonConfig, SMTP_URL: z.url().optional() })
const usable = { PORT: '4000', DATABASE_URL: 'postgres://crm:secret@127.0.0.1/crm' }

describe('loadConfig', () => {
  it('fills in what may be left out', () => {
    expect(loadConfig(schema, usable)).toMatchObject({
      PORT: 4000,
      HOST: '127.0.0.1',
      TRUSTED_PROXIES: ['loopback'],
      LOG_LEVEL: 'info',
      DATA_DIR: '.data',
    })
  })

  it('takes an empty variable for an absent one', () => {
    const config = loadConfig(schema, { ...usable, REDIS_URL: '', LOG_LEVEL: '' })
    expect(config.REDIS_URL).toBeUndefined()
    expect(config.LOG_LEVEL).toBe('info')
  })

  it('splits the trusted proxies and cuts the slash off the address', () => {
    const config = loadConfig(schema, { ...usable, TRUSTED_PROXIES: 'loopback, 10.0.0.0/8', BASE_URL: 'https://crm.example/' })
    expect(config).toMatchObject({ TRUSTED_PROXIES: ['loopback', '10.0.0.0/8'], BASE_URL: 'https://crm.example' })
  })

  it('reports every problem at once, without the values', () => {
    const read = () => loadConfig(schema, { PORT: 'seventy', REDIS_URL: 'http://:hidden@127.0.0.1' })
    expect(read).toThrow(ConfigError)
    try {
      read()
    } catch (error) {
      const { lines } = error as ConfigError
      expect(lines.map((line) => line.split(/[: ]/)[0])).toEqual(['PORT', 'DATABASE_URL', 'REDIS_URL'])
      expect(lines.join()).not.toContain('hidden')
    }
  })

  it('describes every common variable', () => {
    for (const [name, variable] of Object.entries(commonConfig)) expect(variable.description, name).toMatch(/\.$/)
  })
})
