import { trimMarks } from '@crm/model'
import { email } from '@crm/model/values'
import { read, refuseText, type Reading } from './refusals.ts'

/** Reads an email address, with the name of its owner around it or without. */
export function readEmail(text: string): Reading<string> {
  const [, inBrackets] = /<([^<>]+)>[\s\p{Cf}]*$/u.exec(text) ?? []
  const parsed = email.safeParse(trimMarks(inBrackets ?? text).replace(/^mailto:/i, ''))
  return parsed.success ? read(parsed.data) : refuseText('NO_EMAIL', text)
}
