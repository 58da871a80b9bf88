import * as z from 'zod'
import { commaParts, oncePerInput, textForms } from '@crm/model/values'
import { id } from './fields.ts'
import { filterValuesMax, type WrongValue } from './read-conditions.ts'

const charactersMax = filterValuesMax * 40
const upToMax = `Expected up to ${filterValuesMax} values, separated by commas`

interface Values<Value> {
  /** Reads one value; undefined when it is invalid. */
  read(part: string): Value | undefined
  readonly known: readonly string[]
  /** Whether `none` asks for records without a value. */
  readonly canBeEmpty: boolean
}

/** Declares a parameter with several values; null stands for `none`. */
function severalOf<Value extends string>({ read, known, canBeEmpty }: Values<Value>) {
  const readOrNone = (part: string): Value | null | undefined => (canBeEmpty && part === 'none' ? null : read(part))
  return z
    .string()
    .max(charactersMax)
    .transform((text, context): (Value | null)[] => {
      const parts = commaParts(text)
      const refuse = (message: string, params?: WrongValue): never => {
        context.addIssue({ code: 'custom', message, params: params && { ...params } })
        return z.NEVER
      }
      if (parts.length === 0 || parts.length > filterValuesMax) return refuse(upToMax)
      const values = parts.map(readOrNone)
      const wrong = parts[values.indexOf(undefined)]
      if (wrong === undefined) return values.filter((value) => value !== undefined)
      const complaint = known.length > 0 ? `is none of ${known.join(', ')}` : 'is not a valid id'
      return refuse(`${wrong} ${complaint}`, { wrong, known })
    })
}

const readId = (part: string): string | undefined => id.safeParse(part).data

/** A filter by ids: any of up to 50, by commas; `none` asks for records without one where the field can be empty. */
export const idFilter = oncePerInput(
  ({ canBeEmpty, description }: { readonly canBeEmpty: boolean; readonly description?: string }) =>
    severalOf({ read: readId, known: [], canBeEmpty })
      .register(textForms, { form: 'ids' })
      .meta(description === undefined ? {} : { description }),
)

/** A filter by people like `idFilter`; `me` is the caller and is replaced before the query is parsed. */
export const personFilter = severalOf({ read: readId, known: [], canBeEmpty: true })
  .register(textForms, { form: 'ids' })
  .meta({ description: 'Ids, me, none' })

/** Whether a parameter accepts `me` for the caller. */
export function isPersonFilter(param: z.core.$ZodType | undefined): boolean {
  return (param instanceof z.ZodOptional ? param.unwrap() : param) === personFilter
}

/** A filter by values of an enum: any of the listed ones, by commas; `none` asks for records without one where the field can be empty. */
export const enumFilter = oncePerInput(
  <const Value extends string>({
    values,
    canBeEmpty = false,
  }: {
    readonly values: readonly Value[]
    readonly canBeEmpty?: boolean
  }) =>
    severalOf({ read: (part) => values.find((value) => value === part), known: values, canBeEmpty })
      .register(textForms, { form: 'words', values: canBeEmpty ? [...values, 'none'] : values })
      .meta({ description: values.join(', ') }),
)
