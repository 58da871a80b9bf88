import * as z from 'zod'
import { changeEvents } from '../../events.ts'
import { requiredText } from '../../fields.ts'

/** The comparisons of conditions, the same as in the condition engine. */
export const conditionOps = ['EQ', 'NE', 'IN', 'GT', 'LT', 'CONTAINS', 'CHANGED_TO'] as const

/** One comparison; `field` is a path without braces, such as `trigger.kind`. */
const condition = z.strictObject({
  field: requiredText(200).meta({ description: 'A path such as trigger.kind or data.status' }),
  op: z.enum(conditionOps),
  value: z.unknown().meta({ description: 'What the field is compared with; a list for IN' }),
})

/** The conditions after their check; an omitted value is null. */
export const conditions = z
  .array(condition.transform(({ value, ...rest }) => ({ ...rest, value: value ?? null })))
  .max(20)

/** The events that rules and workflows can listen to; events of custom entities are named the same way. */
export const automationEvents: readonly string[] = changeEvents.map(({ name }) => name)

/** The name of an event; the workspace checks whether a custom entity of that name exists. */
export const eventName = requiredText(80)

export const outboundBodies = ['USUAL', 'TEMPLATE', 'NONE'] as const
export const outboundMethods = ['POST', 'PUT', 'PATCH', 'GET', 'DELETE'] as const

/** The placeholder for a header's value in answers; a caller that sends it back keeps the stored value. */
export const hiddenValue = '********'

/** The headers of a request that was sent without any; a change then keeps the stored ones. Compared by identity. */
export const omittedHeaders: Record<string, string> = Object.freeze({})

/** The settings of an outbound request (docs/guide/webhooks.md); the write checks the address and the headers. */
export const outboundSettings = {
  url: requiredText(2048),
  method: z.enum(outboundMethods).default('POST'),
  headers: z
    .record(z.string(), z.string().max(4000))
    .nullish()
    .transform((headers) => headers ?? omittedHeaders)
    .meta({
      description: `Values are never shown again: answers have ${hiddenValue} for each, and a change that sends that, or no headers at all, keeps what is stored for the same host`,
    }),
  bodyTemplate: z
    .string()
    .max(65_536)
    .nullish()
    .transform((template) => (template?.trim() ? template : null))
    .meta({ description: 'JSON with variables; without it the usual body is sent' }),
  body: z.enum(outboundBodies).optional().meta({
    description:
      'What is sent: without a choice the template if there is one, else the usual body; NONE sends no content type either',
  }),
}

/** A hint that does not keep a workflow or rule from working. */
export const warning = z.object({ path: z.array(z.union([z.string(), z.number()])), message: z.string() })
