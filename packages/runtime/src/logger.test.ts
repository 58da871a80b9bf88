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

  it.each(['authorization', 'cookie', 'x-api-key', 'set-cookie', 'password', 'token', 'secret'])(
    'hides %s three levels deep',
    (key) => {
      const lines = logOf((logger) => {
        logger.info({ [key]: 'open sesame' })
        logger.info({ headers: { [key]: 'open sesame' } })
        logger.info({ req: { headers: { [key]: 'open sesame' } } })
      })
      expect(lines).toHaveLength(3)
      expect(JSON.stringify(lines)).not.toContain('open sesame')
    },
  )
})
