import { sentenceOfProblem, type CellProblem, type CellProblemCode } from '@crm/errors/problems'

/** What is wrong with a text: in words for people, and as a code with values for programs. */
export interface Refused extends CellProblem {
  readonly problem: string
}

/** A value that was read, or what is wrong with its text. */
export type Reading<Value> = { readonly value: Value } | Refused

export function read<Value>(value: Value): Reading<Value> {
  return { value }
}

export function refuse(code: CellProblemCode, values: Readonly<Record<string, string>> = {}): Refused {
  return { problem: sentenceOfProblem({ code, values }), code, values }
}

/** Returns the problem of a text that is shown in its sentence. */
export function refuseText(
  code: CellProblemCode,
  text: string,
  values: Readonly<Record<string, string>> = {},
): Refused {
  return refuse(code, { text: shortened(text), ...values })
}

const shownCharacters = 60

/** Returns a text as it stands in a sentence, shortened where it is long. */
function shortened(text: string): string {
  return text.length > shownCharacters ? `${text.slice(0, shownCharacters).toWellFormed()}…` : text
}
