import type { FastifyServerOptions } from 'fastify'

/**
 * Options of a Fastify server whose routes declare no JSON Schema: the schema compilers, a tenth of the memory of a small
 * process, are not loaded. A route that declares one after all fails when it is added.
 */
export const withoutJsonSchemas = {
  schemaController: { compilersFactory: { buildValidator: refuseSchemas, buildSerializer: refuseSchemas } },
} satisfies FastifyServerOptions

function refuseSchemas(): () => never {
  return () => {
    throw new Error('Routes declare no JSON Schema here: the contract says what goes in and out')
  }
}
