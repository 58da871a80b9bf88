import { ResponseBodyError } from 'oauth4webapi'
import { expect, it } from 'vitest'
import { basicCredentials, ProviderError } from './provider-client.ts'

it.each([
  ['crm', 'GOC-sec_ret.1*', 'crm:GOC-sec_ret.1*'],
  ['crm:1', 'a b+c%ü~', 'crm%3A1:a+b%2Bc%25%C3%BC%7E'],
])('the name %s and the secret %s are sent as %s', (name, secret, sent) => {
  expect(basicCredentials(name, secret)).toBe(sent)
  // Whoever reads them as a form reads what they were.
  expect(sent.split(':').map((part) => new URLSearchParams(`=${part}`).get(''))).toEqual([name, secret])
})

it('what a provider says is wrong stands in the message', () => {
  const cause = new ResponseBodyError('no', {
    cause: { error: 'invalid_client', error_description: 'The secret is over' },
    response: new Response(null, { status: 401 }),
  })
  const { message } = new ProviderError('TOKEN_INVALID', { cause })
  expect(message).toBe('The identity provider failed: TOKEN_INVALID (invalid_client: The secret is over)')
})
