import { describe, expect, it } from 'vitest'
import { createLogger } from './logger.ts'

function logOf(write: (logger: ReturnType<typeof createLogger>) => void): Record<string, unknown>[] {
  const lines: string[] = []
  write(createLogger({ name: 'test', destination: { write: (line) => lines.push(line) } }))
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>)
}

describe('createLogger', () => {
  it('writes one JSON object per line', () => {
    const [line] = logOf((logger) => logger.info({ leads: 2 }, 'imported'))
    expect(line).toMatchObject({ service: 'test', level: 'info', msg: 'imported', leads: 2 })
  })

  it('tells the cause of a failed statement without the values it was sent with', () => {
    const cause = Object.assign(new Error('permission denied'), {
      code: '42501',
      detail: 'Key (email)=(eve@private.example)',
    })
    const failed = Object.assign(new Error('Failed query: select $1 params: eve@private.example', { cause }), {
      query: 'select $1',
      params: ['eve@private.example'],
    })
    const [line] = logOf((logger) => logger.error({ err: failed }, 'request failed'))
    expect(line).toMatchObject({ err: { message: 'permission denied', code: '42501', query: 'select $1' } })
    expect(JSON.stringify(line)).not.toContain('eve@private.example')
  })

  it.each(['authorization', 'Cookie', 'x-api-key', 'set-cookie', 'password', 'token', 'secret'])(
    'hides %s at any depth, also in errors',
    (key) => {
      const secret = { [key]: 'open sesame' }
      const lines = logOf((logger) => {
        logger.info(secret)
        logger.info({ headers: secret })
        logger.info({ req: { calls: [{ headers: secret }] } })
        logger.error({ err: Object.assign(new Error('refused'), { config: { headers: secret } }) })
      })
      expect(lines).toHaveLength(4)
      expect(JSON.stringify(lines).match(/\[redacted\]/g)).toHaveLength(4)
      expect(JSON.stringify(lines)).not.toContain('open sesame')
    },
  )

  it('leaves what it is given as it is, and writes what refers to itself', () => {
    const told: Record<string, unknown> = { token: 'open sesame', at: new Date(0), rows: [1, 2] }
    told['self'] = told
    const [line] = logOf((logger) => logger.info(told, 'told'))
    expect(line).toMatchObject({ token: '[redacted]', at: '1970-01-01T00:00:00.000Z', rows: [1, 2], msg: 'told' })
    expect(told['token']).toBe('open sesame')
  })
})
