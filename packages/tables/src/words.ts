import { wordKey } from './reading.ts'
import { read, refuseText, type Reading } from './refusals.ts'

const yes = [
  'true',
  'yes',
  'y',
  '1',
  'x',
  '✓',
  '✔',
  'on',
  'ja',
  'j',
  'wahr',
  'oui',
  'o',
  'vrai',
  'si',
  's',
  'verdadero',
  'да',
  'истина',
  'checked',
]
const no = ['false', 'no', 'n', '0', 'off', 'nein', 'falsch', 'non', 'faux', 'falso', 'нет', 'ложь', 'unchecked']

const flags: ReadonlyMap<string, boolean> = new Map([
  ...yes.map((word): readonly [string, boolean] => [wordKey(word), true]),
  ...no.map((word): readonly [string, boolean] => [wordKey(word), false]),
])

/** Reads a word for yes or no in the languages of the product. */
export function readFlag(text: string): Reading<boolean> {
  const value = flags.get(wordKey(text))
  return value === undefined ? refuseText('NO_FLAG', text) : read(value)
}

/** A choice: its value, and the words that people know it by. */
export interface Choice {
  readonly value: string
  readonly labels: readonly string[]
}

const spacing = /[\s_-]+/g

/** Reads one of some choices, by its value or a label, in any case. */
export function readChoice(text: string, choices: readonly Choice[]): Reading<string> {
  const plain = (word: string): string => wordKey(word).replaceAll(spacing, ' ')
  const found = choices.filter(({ value, labels }) => [value, ...labels].some((word) => plain(word) === plain(text)))
  if (found.length > 1) return refuseText('SEVERAL_CHOICES', text)
  return found[0] ? read(found[0].value) : refuseText('NO_CHOICE', text)
}
