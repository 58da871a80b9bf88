import { z } from 'zod'
import { environmentKeys, keyBytes, type KeyWrapper } from './key-wrapper.ts'

const key = z.string().transform((text, context) => {
  const bytes = Buffer.from(text.trim(), 'base64')
  if (bytes.length !== keyBytes || !/^[\w+/-]+={0,2}$/.test(text.trim()))
    context.addIssue({ code: 'custom', message: 'This is not a key of 32 bytes in base64' })
  return bytes
})

const keys = z
  .string()
  .transform((text) =>
    text
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== ''),
  )
  .pipe(z.array(key))

/** The variables of processes that seal or open stored secrets; spread them into the app's own `z.object`. */
export const secretsConfig = {
  SECRETS_KEY: key
    .optional()
    .describe('Key that protects the secrets in the database: 32 random bytes in base64, the same for all processes.'),
  SECRETS_KEY_PREVIOUS: keys
    .default([])
    .describe('Comma-separated keys of before, with which stored secrets can still be opened until they are rotated.'),
}

/** Returns the wrapper for the keys of an environment. */
export function wrapperOf(config: {
  readonly SECRETS_KEY?: Buffer | undefined
  readonly SECRETS_KEY_PREVIOUS: readonly Buffer[]
}): KeyWrapper {
  return environmentKeys(config.SECRETS_KEY, config.SECRETS_KEY_PREVIOUS)
}
