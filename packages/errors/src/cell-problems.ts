/**
 * What can be wrong with a file that somebody brings: a code that stays, and an English sentence with the values of the problem in braces. Programs
 * and other languages go by the code and the values.
 */
export const cellProblems = {
  SPREADSHEET_ERROR: 'The spreadsheet has an error in this cell, {text}',
  CONTROL_CHARACTERS: 'The cell has signs that no text holds',
  NOT_LETTERS: 'The cell has bytes that are no letters',
  TWO_NUMBERS: '“{text}” can be two numbers; choose the sign before the decimals',
  NO_NUMBER: '“{text}” is no number',
  NO_NUMBER_WITH_POINT: '“{text}” is no number with a decimal point',
  NO_NUMBER_WITH_COMMA: '“{text}” is no number with a decimal comma',
  TOO_MANY_DIGITS: '“{text}” has more than {max} digits, and a number would lose some of them',
  NOT_WHOLE: '“{text}” is no whole number',
  PERCENT_FOR_AMOUNT: '“{text}” is a per cent, where an amount is meant',
  NO_PHONE: '“{text}” is no phone number',
  PHONE_WITH_LETTERS: '“{text}” has letters, and a phone number has digits only',
  PHONE_WITHOUT_COUNTRY: '“{text}” has no country code; choose the country of the numbers',
  NO_EMAIL: '“{text}” is no email address',
  NO_DATE: '“{text}” is no date',
  NO_DATE_DAY_FIRST: '“{text}” is no date with the day first',
  NO_DATE_MONTH_FIRST: '“{text}” is no date with the month first',
  TWO_DAYS: '“{text}” can be two days; choose whether the day or the month comes first',
  TIME_FOR_DAY: '“{text}” has a time of day, where only a day is meant',
  NO_CHOICE: '“{text}” is none of the choices',
  SEVERAL_CHOICES: '“{text}” is the name of several choices',
  NO_FLAG: '“{text}” says neither yes nor no',
  NOT_FOUND: 'There is no {kind} “{text}”',
  SEVERAL_FOUND: 'There is more than one {kind} “{text}”',
  NO_CURRENCY: 'There is no currency “{text}”',
  TOO_LONG: '“{text}” has more than {max} characters',
  TOO_MANY_VALUES: 'The cell has more than {max} values',
  NO_PERCENT: '“{text}” is not from 0 to 100',
  BELOW_MIN: '“{text}” is not at least {min}',
  ABOVE_MAX: '“{text}” is not at most {max}',
  OUT_OF_RANGE: '“{text}” is not at least {min} and at most {max}',
  BELOW_ZERO: '“{text}” is below zero',
  AMOUNT_TOO_LONG: '“{text}” has more than 12 digits before the decimals, or more than 6 of these',
  NO_WEBSITE: '“{text}” is no address of a website',
  DOES_NOT_FIT: '“{text}” does not fit this field',
  NO_SINGLE_CELL: 'A single cell cannot hold this field',
  NOT_WRITABLE: 'The service writes this field by itself',
  EMPTY_ROW: 'The row is empty',
  FEWER_CELLS: 'The row has fewer cells than the header',
  MORE_CELLS: 'The row has {cells} cells, and the header has {columns}',
  BELOW_TABLE: 'The row stands below the table',
  TOO_MANY_CELLS: 'The row has more than {max} cells',
  CELL_TOO_LONG: 'Cell {cell} has more than {max} characters',
  CELL_NOT_LETTERS: 'Cell {cell} holds bytes that are no letters in the encoding of the file',
  UNREADABLE_CARD: 'The card cannot be read',
  UNREADABLE_ROW: '{text}',
  NOTHING_TO_TELL_BY: 'The row has no name, address or number by which a record could be told',
  REQUIRED: 'A record needs {field}',
  REFUSED: '{text}',
  NUMBER_TAKEN: 'There is another record with the number “{text}”',
  KEY_TAKEN: 'There is another record with the key “{text}”',
  MAY_NOT_CHANGE: 'You may not change the record that is there already',
} as const

export type CellProblemCode = keyof typeof cellProblems

/** A problem as it is stored and sent: its code, and the values of its sentence. */
export interface CellProblem {
  readonly code: CellProblemCode
  readonly values: Readonly<Record<string, string>>
}

/** Returns the English sentence of a problem. */
export function sentenceOfProblem({ code, values }: CellProblem): string {
  return filledIn(cellProblems[code], values)
}

/** Returns a sentence with values in the places of their names. */
export function filledIn(sentence: string, values: Readonly<Record<string, string>>): string {
  return sentence.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
}
