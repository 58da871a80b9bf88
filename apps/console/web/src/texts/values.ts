import type { GetICUArgs } from '@schummar/icu-type-parser'
import type { ReactNode } from 'react'

/** The values that an English text names. */
export type ValuesOf<English extends string> = GetICUArgs<
  English,
  { ICUArgument: string | number; ICUNumberArgument: number; ICUDateArgument: Date }
>

/** What makes elements of the tags of an English text. */
export type TagsOf<English extends string> =
  English extends `${infer Before}<${infer Name}>${infer Inner}</${string}>${infer After}`
    ? Readonly<Record<Name, (inner: ReactNode) => ReactNode>> & TagsOf<`${Before}${Inner}${After}`>
    : unknown

/** What other languages depend on, and English does not. */
export interface Unsaid {
  /** Tells a text from the same English with a more usual meaning, such as “an invoice”. */
  readonly context?: string
  readonly gender?: string
  readonly sound?: string
}

/** The arguments behind a text: none are needed where it names no values. */
export type Given<Values> = object extends Values ? [values?: Unsaid & Values] : [values: Unsaid & Values]
