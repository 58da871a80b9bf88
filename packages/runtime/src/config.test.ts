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
    const config = loadConfig(schema, {
      ...usable,
      TRUSTED_PROXIES: 'loopback, 10.0.0.0/8',
      BASE_URL: 'https://crm.example/',
    })
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

  describe('ends a start in production with a published secret, one line each', () => {
    const schema = z.object({ ...commonConfig, RUN_TOKEN_SECRET: z.string() })
    const env = {
      PORT: '0',
      DATABASE_URL: 'postgres://crm_api:change-this-roles@postgres:5432/crm',
      RUN_TOKEN_SECRET: 'change-this-to-32-random-characters',
      BASE_URL: 'https://change-this.example.com',
      SOME_SECRET: 'change-this, which nobody declared',
    }
    const linesOf = (more: Record<string, string>): readonly string[] => {
      try {
        loadConfig(schema, { ...env, ...more })
        return []
      } catch (error) {
        return (error as ConfigError).lines
      }
    }

    it.each<Record<string, string>>([{}, { NODE_ENV: 'production' }])('with %j', (more) => {
      const lines = linesOf(more)
      expect(lines.map((line) => line.split(':')[0])).toEqual(['DATABASE_URL', 'RUN_TOKEN_SECRET'])
      expect(lines.join()).not.toContain('change-this')
    })

    it.each(['development', 'test'])('but not in %s', (NODE_ENV) => expect(linesOf({ NODE_ENV })).toEqual([]))
  })

  it('refuses a proxy that is no address', () => {
    expect(() =>
      loadConfig(z.object(commonConfig), {
        PORT: '0',
        DATABASE_URL: 'postgres://x@y/z',
        TRUSTED_PROXIES: 'loopback,nearby',
      }),
    ).toThrow(/TRUSTED_PROXIES: nearby is no address/)
  })
})
