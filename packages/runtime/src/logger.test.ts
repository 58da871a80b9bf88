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
    expect(line).toMatchObject({ name: 'test', level: 'info', msg: 'imported', leads: 2 })
  })

  it.each(['authorization', 'cookie', 'x-api-key', 'set-cookie', 'password', 'token', 'secret'])('hides %s three levels deep', (key) => {
    const lines = logOf((logger) => {
      logger.info({ [key]: 'open sesame' })
      logger.info({ headers: { [key]: 'open sesame' } })
      logger.info({ req: { headers: { [key]: 'open sesame' } } })
    })
    expect(lines).toHaveLength(3)
    expect(JSON.stringify(lines)).not.toContain('open sesame')
  })
})
