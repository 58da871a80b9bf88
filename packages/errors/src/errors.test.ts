import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ApiError, InvalidJsonError, invalidField, invalidReference } from './api-error.ts'
import { errorCodes, isErrorCode, type ErrorCode, type ErrorDefinition } from './codes.ts'
import { isRefusal, toApiAnswer, toBookingAnswer, toHookAnswer } from './wire.ts'

const table = Object.entries(errorCodes) as [ErrorCode, ErrorDefinition][]
const errorId = 'id-of-the-fault'
const fault = new Error('the password is hunter2')

describe('the codes', () => {
  it.each(table)('%s has a status, a text and a line in the reference', (code, { status, text }) => {
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(600)
    expect(text).toMatch(/^[A-Z].*[^.]$/)
    expect(reference).toContain(`| ${status} | \`${code}\` | ${text} |`)
  })

  it('are told from other texts, those of the prototype too', () => {
    expect(isErrorCode('NOT_FOUND')).toBe(true)
    for (const text of ['not_found', '', 'toString', '__proto__', 'constructor']) expect(isErrorCode(text)).toBe(false)
  })
})

const reference = readFileSync(new URL('../../../docs/reference/errors.md', import.meta.url), 'utf8')

describe('the shape of the public API', () => {
  it.each(table)('%s goes out with its status, text and code, and nothing else', (code, { status, text }) => {
    expect(toApiAnswer(new ApiError(code), errorId)).toEqual({
      status,
      body: { error: text, code },
      retryAfterS: undefined,
    })
  })

  it('carries what a refusal adds', () => {
    const refusal = new ApiError('MODULE_DISABLED', {
      message: 'Off',
      details: { a: 1 },
      requiredPermission: 'VIEW_LEAD',
      key: 'SALES',
      reason: 'self',
      retryAfterS: 7,
      status: 404,
    })
    expect(toApiAnswer(refusal, errorId)).toEqual({
      status: 404,
      retryAfterS: 7,
      body: {
        error: 'Off',
        code: 'MODULE_DISABLED',
        details: { a: 1 },
        requiredPermission: 'VIEW_LEAD',
        key: 'SALES',
        reason: 'self',
      },
    })
    expect(toApiAnswer(invalidField('phone', 'Too short'), errorId).body).toMatchObject({
      code: 'VALIDATION_ERROR',
      issues: [{ path: ['phone'], message: 'Too short' }],
    })
    expect(toApiAnswer(invalidField(['tags', 0], 'Empty'), errorId).body).toMatchObject({
      issues: [{ path: ['tags', 0] }],
    })
    expect(toApiAnswer(invalidReference('ownerId'), errorId).body).toMatchObject({
      code: 'INVALID_REFERENCE',
      details: { field: 'ownerId' },
    })
  })

  it('says of a body that is not JSON only that', () => {
    expect(toApiAnswer(new InvalidJsonError(), errorId)).toEqual({ status: 400, body: { error: 'Invalid JSON body' } })
  })

  it.each([fault, 'a text', null, undefined, { status: 404 }])('hides the fault %s behind its errorId', (thrown) => {
    expect(toApiAnswer(thrown, errorId)).toEqual({
      status: 500,
      body: { error: 'Internal server error', code: 'INTERNAL_ERROR', errorId },
    })
  })
})

describe('the shape of the booking API', () => {
  it('wraps code and message', () => {
    expect(toBookingAnswer(new ApiError('SLOT_TAKEN'), errorId)).toEqual({
      status: 409,
      body: { success: false, error: { code: 'SLOT_TAKEN', message: errorCodes.SLOT_TAKEN.text } },
    })
    expect(toBookingAnswer(new ApiError('RATE_LIMITED', { retryAfterS: 9 }), errorId)).toMatchObject({
      status: 429,
      retryAfterS: 9,
    })
    expect(toBookingAnswer(new InvalidJsonError(), errorId)).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION_ERROR' } },
    })
  })

  it('says in the message which fields are not valid', () => {
    const refusal = new ApiError('VALIDATION_ERROR', {
      issues: [
        { path: ['email'], message: 'Not an address' },
        { path: [], message: 'Unusable' },
      ],
    })
    expect(toBookingAnswer(refusal, errorId).body).toMatchObject({
      error: { message: 'email: Not an address; Unusable' },
    })
  })

  it('hides a fault', () => {
    const answer = toBookingAnswer(fault, errorId)
    expect(answer).toMatchObject({ status: 500, body: { success: false, error: { code: 'INTERNAL_ERROR' } } })
    expect(JSON.stringify(answer)).not.toContain('hunter2')
  })
})

it('the shape of a webhook is a text alone', () => {
  expect(toHookAnswer(429, 'Too many requests', 3)).toEqual({
    status: 429,
    body: { error: 'Too many requests' },
    retryAfterS: 3,
  })
})

it('a refusal is told from a fault', () => {
  expect([new ApiError('NOT_FOUND'), new InvalidJsonError(), fault, null].map(isRefusal)).toEqual([
    true,
    true,
    false,
    false,
  ])
})
