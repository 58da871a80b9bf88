import { describe, expect, it } from 'vitest'
import { addressIn } from './address-list.ts'

describe('addressIn', () => {
  it.each([
    [['loopback'], '127.0.0.1', true],
    [['loopback'], '::1', true],
    [['loopback'], '::ffff:127.0.0.9', true],
    [['loopback'], '10.0.0.1', false],
    [['uniquelocal'], '172.31.9.9', true],
    [['uniquelocal'], '172.32.0.1', false],
    [['uniquelocal'], 'fd00::7', true],
    [['linklocal'], 'fe80::1%eth0', true],
    [['192.0.2.0/24', '2001:db8::/32'], '192.0.2.77', true],
    [['192.0.2.0/24', '2001:db8::/32'], '2001:db8:1::1', true],
    [['192.0.2.7'], '192.0.2.8', false],
    [[], '127.0.0.1', false],
    [['loopback'], 'unix', false],
  ])('of %j: %s is %s', (list, address, isIn) => expect(addressIn(list)(address)).toBe(isIn))

  it.each(['nowhere', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', 'fe80::/129', '999.1.1.1'])('refuses %s', (entry) => {
    expect(() => addressIn([entry])).toThrow(entry)
  })
})
