import { z } from 'zod'
import { id } from './fields.ts'
import { oncePerInput } from './once-per-input.ts'

/** The most values of one filter. */
export const filterValuesMax = 50
const charactersMax = filterValuesMax * 40

/** Stands for records without a value. */
const none = z.literal('none').transform(() => null)

const parts = z
  .string()
  .max(charactersMax)
  .transform((value) =>
    value
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  )

const upToMax = `Expected up to ${filterValuesMax} values, separated by commas`

/** A filter by ids: any of up to 50, by commas; `none` asks for records without one where the field can be empty. */
export const idFilter = oncePerInput(
  ({ canBeEmpty, description }: { readonly canBeEmpty: boolean; readonly description?: string }) =>
    parts
      .pipe(
        z
          .array(canBeEmpty ? z.union([id, none]) : id)
          .min(1, upToMax)
          .max(filterValuesMax, upToMax),
      )
      .meta(description === undefined ? {} : { description }),
)

/** The same of people; `me` is whoever asks, so it is replaced before the query is parsed. */
export const personFilter = parts
  .pipe(
    z
      .array(z.union([id, none]))
      .min(1, upToMax)
      .max(filterValuesMax, upToMax),
  )
  .meta({ description: 'Ids, me, none' })

/** Whether a parameter takes `me` for whoever asks. */
export function isPersonFilter(param: z.core.$ZodType | undefined): boolean {
  return (param instanceof z.ZodOptional ? param.unwrap() : param) === personFilter
}

/** A filter by values of an enum: any of those that are sent, by commas; `none` asks for records without one where the field can be empty. */
export const enumFilter = oncePerInput(
  <const Value extends string>({
    values,
    canBeEmpty = false,
  }: {
    readonly values: readonly Value[]
    readonly canBeEmpty?: boolean
  }) => {
    const known = z.enum(values as readonly [Value, ...Value[]], {
      error: ({ input }) => `${String(input)} is none of ${values.join(', ')}`,
    })
    return parts
      .pipe(
        z
          .array(canBeEmpty ? z.union([none, known]) : known)
          .min(1, upToMax)
          .max(filterValuesMax, upToMax),
      )
      .meta({ description: values.join(', ') })
  },
)
