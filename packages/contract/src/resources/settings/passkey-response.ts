import * as z from 'zod'

/** The answer of `navigator.credentials`, as the browser writes it in JSON. */
export const passkeyResponse = z.object({
  id: z.string().max(2_000),
  rawId: z.string().max(2_000),
  type: z.literal('public-key'),
  authenticatorAttachment: z.string().max(40).nullish(),
  clientExtensionResults: z.record(z.string().max(100), z.unknown()).default({}),
  response: z.record(z.string().max(60), z.unknown()),
})
export type PasskeyResponse = z.output<typeof passkeyResponse>
