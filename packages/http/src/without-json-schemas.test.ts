import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { withoutJsonSchemas } from './without-json-schemas.ts'

test('a route that declares a JSON Schema is refused when it is added, and others work', async () => {
  const app = Fastify(withoutJsonSchemas)
  app.get('/plain', async () => ({ isHere: true }))
  app.register(
    async (inner) => void inner.post('/described', { schema: { body: { type: 'object' } } }, async () => null),
  )
  await expect(async () => await app.ready()).rejects.toThrow(/no JSON Schema/)

  const plain = Fastify(withoutJsonSchemas)
  plain.get('/plain', async () => ({ isHere: true }))
  expect((await plain.inject('/plain')).json()).toEqual({ isHere: true })
})
