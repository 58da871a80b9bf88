import { describe, expect, it } from 'vitest'
import { OAuthError } from './oauth-error.ts'
import { withBasicClient } from './parameters.ts'

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`
const clientOf = (authorization: string | undefined, inForm?: string) =>
  withBasicClient(new Map(inForm === undefined ? [] : [['client_id', inForm]]), authorization).get('client_id')

describe('a client that names itself by Basic', () => {
  it.each([
    ['with an empty password', basic('one:'), undefined, 'one'],
    ['in small letters', basic('one:').replace('Basic', 'basic'), undefined, 'one'],
    ['encoded as in a form', basic('a%2Db+c%3A:'), undefined, 'a-b c:'],
    ['beside the same one in the form', basic('one:'), 'one', 'one'],
    ['with a password', basic('one:secret'), undefined, undefined],
    ['with a password, beside the form', basic('two:secret'), 'one', 'one'],
    ['by nothing', basic(':'), undefined, undefined],
    ['by no Base64', 'Basic ***', undefined, undefined],
    ['by another scheme', 'Bearer b25lOg==', undefined, undefined],
    ['not at all', undefined, 'one', 'one'],
  ])('%s', (_, authorization, inForm, expected) => expect(clientOf(authorization, inForm)).toBe(expected))

  it('is refused beside another one in the form', () =>
    expect(() => clientOf(basic('two:'), 'one')).toThrow(
      new OAuthError('invalid_request', 'The request names two clients'),
    ))
})
