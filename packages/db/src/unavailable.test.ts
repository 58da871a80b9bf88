import { expect, it } from 'vitest'
import { isMachineAway, isUnavailable } from './unavailable.ts'

const said = (code: string, message: string): Error => Object.assign(new Error(message), { code })

it('takes a machine that the coordinator does not reach as away, whatever code it gives', () => {
  const away = [
    said('08006', 'connection to the remote node crm_api@10.0.0.5:5432 failed'),
    new Error('Failed query', { cause: said('XX000', 'failure on connection marked as essential: 10.0.0.5:5432') }),
  ]
  expect(away.map((error) => [isMachineAway(error), isUnavailable(error)])).toEqual([
    [true, true],
    [true, true],
  ])
})

it('takes nothing else as a machine that is away: not a pooler without a server, not a fault of a statement', () => {
  const others = [
    said('08P01', 'server login has been failing'),
    said('XX000', 'cache lookup failed'),
    new Error('other'),
  ]
  expect(others.map(isMachineAway)).toEqual([false, false, false])
})
