import { numberOr } from './decimals.ts'

/** Returns the text of a form field; empty when there is no such field. */
export function textIn(form: FormData, name: string): string {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}

/** Returns the number in a form field; null where it is empty. A text that is no number is sent as it is, so that the API says what is wrong with it. */
export function numberIn(form: FormData, name: string): number | null {
  const text = textIn(form, name).trim()
  return text === '' ? null : (numberOr(text) as number)
}
