import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { routingTable } from '../edge/routes.ts'
import { nodeEnv, nodeFlagsOf, youngMbOf } from '../node-flags.ts'

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')

it('images run with the memory that npm start gives', () => {
  const dockerfile = read('Dockerfile')
  const flags = nodeFlagsOf('any').join(' ').replaceAll(/(semi-space-size=)\d+/g, '$1${YOUNG_MB}')
  expect(dockerfile).toContain(`exec node ${flags} apps/`)
  for (const [name, value] of Object.entries({ ...nodeEnv, YOUNG_MB: youngMbOf('any') })) expect(dockerfile).toContain(`${name}=${value}`)
})

describe.each([...routingTable.services])('%s', (name) => {
  it('has the young generation of npm start in containers, too', () => {
    const own = youngMbOf(name) === youngMbOf('any') ? undefined : String(youngMbOf(name))
    const [service = ''] = new RegExp(`^  ${name}:\\n(    .*\\n)+`, 'm').exec(read('../../docker-compose.yml')) ?? []
    const told = [/YOUNG_MB: '(\d+)'/.exec(service), /name: YOUNG_MB, value: '(\d+)'/.exec(read(`../k8s/${name}.yaml`))]
    expect({ isThere: service !== '', told: told.map((found) => found?.[1]) }).toEqual({ isThere: true, told: [own, own] })
  })
})
