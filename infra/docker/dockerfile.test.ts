import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { nodeEnv, nodeFlags } from '../node-flags.ts'

it('images run with the memory that npm start gives', () => {
  const dockerfile = readFileSync(new URL('Dockerfile', import.meta.url), 'utf8')
  expect(dockerfile).toContain(`exec node ${nodeFlags.join(' ')} apps/`)
  for (const [name, value] of Object.entries(nodeEnv)) expect(dockerfile).toContain(`${name}=${value}`)
})
