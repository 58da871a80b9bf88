import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ConfigError, commonConfig, loadConfig } from './config.ts'

const schema = z.object({ ...commonConfig, SMTP_URL: z.url().optional() })
const usable = { NODE_ENV: 'test', PORT: '4000', DATABASE_URL: 'postgres://crm:secret@127.0.0.1/crm' }

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

  describe('in production', () => {
    const declared = z.object({
      ...commonConfig,
      RUN_TOKEN_SECRET: z.string().optional(),
      SMTP_URL: z.url().optional(),
      MAIL_TO_FILES: z.stringbool().default(false),
      OUTBOUND_ALLOW_CIDRS: z.string().default(''),
      CALL_PROVIDER: z.string().default('builtin'),
    })
    const safe: Record<string, string> = {
      PORT: '0',
      DATABASE_URL: 'postgres://crm_api:a-password-of-ours@postgres:5432/crm',
      REDIS_URL: 'redis://redis:6379',
      BASE_URL: 'https://crm.acme.test',
      RUN_TOKEN_SECRET: '0123456789abcdef0123456789abcdef',
      SMTP_URL: 'smtp://mail:1025',
    }
    const linesOf = (more: Record<string, string>): readonly string[] => {
      try {
        loadConfig(declared, { ...safe, ...more })
        return []
      } catch (error) {
        return (error as ConfigError).lines
      }
    }

    it.each<Record<string, string>>([
      {},
      { NODE_ENV: 'production' },
      { BASE_URL: 'http://localhost:8080' },
      { BASE_URL: 'http://127.0.0.1' },
      { BASE_URL: 'http://[::1]:80' },
      { BASE_URL: 'http://crm.acme.test', ALLOW_HTTP: 'true' },
      { SMTP_URL: '', MAIL_TO_FILES: 'true' },
      { OUTBOUND_ALLOW_CIDRS: '10.0.0.0/8' },
      { SOME_SECRET: 'change-this, which nobody declared' },
      { BASE_URL: 'https://change-this.example.com' },
    ])('starts with %j', (more) => expect(linesOf(more)).toEqual([]))

    it.each<[string, string]>([
      ['DATABASE_URL', 'postgres://crm_api:change-this-roles@postgres:5432/crm'],
      ['DATABASE_URL', 'postgres://crm_api:short@postgres:5432/crm'],
      ['DATABASE_URL', 'postgres://crm_api:aaaaaaaaaaaaaaaa@postgres:5432/crm'],
      ['REDIS_URL', 'redis://:short@redis:6379'],
      ['REDIS_URL', ''],
      ['BASE_URL', ''],
      ['BASE_URL', 'http://crm.acme.test'],
      ['BASE_URL', 'http://127.0.0.1.acme.test.localhost.acme.test'],
      ['RUN_TOKEN_SECRET', ''],
      ['RUN_TOKEN_SECRET', 'Change-This-to-32-random-characters'],
      ['RUN_TOKEN_SECRET', 'x'.repeat(40)],
      ['RUN_TOKEN_SECRET', '0123456789abcdef'],
      ['SMTP_URL', ''],
      ['SMTP_URL', 'smtps://crm:short@mail.acme.test'],
      ['OUTBOUND_ALLOW_CIDRS', '10.0.0.0/8, 0.0.0.0/0'],
      ['OUTBOUND_ALLOW_CIDRS', '::/0'],
      ['CALL_PROVIDER', 'fail'],
    ])('refuses %s=%s in one line without the value', (name, value) => {
      const lines = linesOf({ [name]: value })
      expect(lines.map((line) => line.split(':')[0])).toEqual([name])
      if (value !== '' && value !== 'fail') expect(lines.join()).not.toContain(value)
      for (const NODE_ENV of ['development', 'test']) expect(linesOf({ [name]: value, NODE_ENV })).toEqual([])
    })

    it('says everything at once', () => {
      expect(linesOf({ REDIS_URL: '', RUN_TOKEN_SECRET: 'short' })).toHaveLength(2)
    })
  })

  describe('a variable in a file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'crm-config-'))
    afterAll(() => rmSync(folder, { recursive: true }))
    const path = join(folder, 'url')
    writeFileSync(path, 'postgres://crm:from-a-file@127.0.0.1/crm\n')
    const { DATABASE_URL: _, ...rest } = usable

    it('is read without its last line break', () => {
      expect(loadConfig(schema, { ...rest, DATABASE_URL_FILE: path }).DATABASE_URL).toBe(
        'postgres://crm:from-a-file@127.0.0.1/crm',
      )
    })

    it('is refused beside the variable itself, and when the file is not there', () => {
      expect(() => loadConfig(schema, { ...usable, DATABASE_URL_FILE: path })).toThrow(
        /DATABASE_URL: This is set twice/,
      )
      expect(() => loadConfig(schema, { ...rest, DATABASE_URL_FILE: join(folder, 'nothing') })).toThrow(
        /DATABASE_URL_FILE: This file cannot be read/,
      )
    })
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
