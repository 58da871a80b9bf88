import { ClientError } from '@crm/client'
import { publicContract } from '@crm/contract'
import { describe, expect, it } from 'vitest'
import { describeRefusal, fieldErrors, isRefusedWith } from './refusals.ts'

describe('a refusal in words', () => {
  it('says which module is off, and why', () => {
    const off = (reason: string) =>
      new ClientError(403, { error: 'The module is switched off', code: 'MODULE_DISABLED', key: 'SALES', reason })
    expect(describeRefusal(off('plan')).text).toBe('The module Sales is not in your plan.')
    expect(describeRefusal(off('self')).text).toContain('An administrator can turn it on')
  })

  it('keeps the name of a missing permission behind the details', () => {
    const error = new ClientError(403, { error: 'The permission DELETE_LEAD is required', code: 'ACCESS_DENIED' })
    expect(describeRefusal(error)).toEqual({
      title: 'You do not have access',
      text: 'You do not have access to this. Ask an administrator for access.',
      details: 'The permission DELETE_LEAD is required.',
    })
  })

  it('says what uses a record as the API does', () => {
    const error = 'The currency is used by 2 deals and 1 product'
    const uses = [
      { entityType: 'DEAL', count: 2 },
      { entityType: 'PRODUCT', count: 1 },
    ]
    expect(describeRefusal(new ClientError(409, { error, code: 'IN_USE', details: { count: 3, uses } }))).toEqual({
      title: 'Something went wrong',
      text: `${error}.`,
    })
  })

  it('hands on the id of a fault', () => {
    const error = new ClientError(500, { error: 'Internal server error', code: 'INTERNAL_ERROR', errorId: 'e-1' })
    expect(describeRefusal(error)).toMatchObject({ title: 'Server error', errorId: 'e-1' })
  })

  it('tells a lost connection from an answer', () => {
    expect(describeRefusal(new ClientError(0, undefined)).title).toBe('No connection')
    expect(describeRefusal(new ClientError(404, { error: 'There is no such lead' })).text).toBe(
      'There is no such lead.',
    )
    expect(describeRefusal(new TypeError('x'))).toEqual({ title: 'Something went wrong', text: 'x' })
  })
})

it('finds the problem of each field, the first one of several', () => {
  const issues = [
    { path: ['email'], message: 'Invalid email' },
    { path: ['email'], message: 'Too long' },
    { path: ['address', 'city'], message: 'Too long' },
    { path: [], message: 'Give a name' },
  ]
  const error = new ClientError(400, { error: 'The request is not valid', code: 'VALIDATION_ERROR', issues })
  expect(fieldErrors(error)).toEqual({
    email: 'Email must look like name@example.com.',
    'address.city': 'Too long',
    '': 'Give a name',
  })
  expect(
    fieldErrors(
      new ClientError(400, {
        error: 'There is no such record',
        code: 'INVALID_REFERENCE',
        details: { field: 'items.0.unitId' },
      }),
    ),
  ).toEqual({ 'items.0.unitId': 'There is no such record.' })
  expect(fieldErrors(new ClientError(400, { error: 'No such currency', code: 'INVALID_CURRENCY' }))).toEqual({
    currency: 'No such currency.',
  })
  expect(fieldErrors(new Error('x'))).toEqual({})
  expect(isRefusedWith(error, 'VALIDATION_ERROR')).toBe(true)
  expect(isRefusedWith(undefined, 'VALIDATION_ERROR')).toBe(false)
})

it('says what the API refuses in words for people, not for programs', () => {
  const refusalOf = (message: string) =>
    fieldErrors(
      new ClientError(400, { error: 'Not valid', code: 'VALIDATION_ERROR', issues: [{ path: ['field'], message }] }),
    )['field']
  const decimals = publicContract.deals.operations.create.body.safeParse({ name: 'Deal', amount: 'a lot' })
  expect(decimals.error?.issues.map(({ message }) => refusalOf(message))).toEqual(['Enter a number, such as 1250.50.'])
  expect(
    [
      'Expected a decimal number that is not below zero, as a string',
      'Expected a quantity above zero',
      'Expected a percentage from 0 to 100, as a string',
      'Expected a year from 1000 to 2999',
      'Expected an address that begins with https://',
    ].map(refusalOf),
  ).toEqual([
    'Enter a number that is not below zero.',
    'Enter a number above zero.',
    'Enter a percentage from 0 to 100.',
    'Enter a year from 1000 to 2999.',
    'Start the address with https://.',
  ])
})
