import type { BookingRow } from '@crm/db'
import { invalidField } from '@crm/errors'
import type { Link } from '../links/links.repository.ts'

type Question = Link['questions'][number]
type Given = Readonly<Record<string, string | boolean>>

/**
 * Returns a guest's answers in the order of the questions, without the empty ones.
 * @throws VALIDATION_ERROR for a missing answer, one that does not fit its question, and one to no question
 */
export function readAnswers(questions: readonly Question[], given: Given = {}): BookingRow['answers'] {
  const asked = new Set(questions.map(({ label }) => label))
  const stray = Object.keys(given).find((label) => !asked.has(label))
  if (stray !== undefined) throw invalidField('answers', 'Expected answers to the questions of the link only')
  return questions.flatMap((question): BookingRow['answers'] => {
    const value = Object.hasOwn(given, question.label) ? given[question.label] : undefined
    if (value === undefined || value === '' || value === false) {
      if (question.required) throw invalidField('answers', `Expected an answer to "${question.label}"`)
      return value === false && question.type === 'CHECKBOX' ? [{ label: question.label, value }] : []
    }
    if (!fits(question, value)) throw invalidField('answers', `Expected another answer to "${question.label}"`)
    return [{ label: question.label, value }]
  })
}

function fits({ type, options }: Question, value: string | boolean): boolean {
  if (type === 'CHECKBOX') return typeof value === 'boolean'
  return typeof value === 'string' && (type !== 'SELECT' || options.includes(value))
}
