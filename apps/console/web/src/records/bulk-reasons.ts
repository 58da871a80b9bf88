import { codeInWords, problemInWords } from '../base/refusals.ts'
import { language } from '../base/texts.ts'
import { labelInWords } from './kind-words.ts'

interface Refused {
  readonly code?: string | undefined
  readonly message?: string | undefined
}

/** Says in the language of the page why one of many records is refused; the API says it in English, field by field. */
export function reasonInWords({ code, message }: Refused, isEnglish = language === 'en'): string | undefined {
  if (message === undefined || isEnglish) return message
  const told = message.split('; ').map((part) => {
    const [, label = '', problem = part] = /^([^:]+): (.+)$/.exec(part) ?? []
    const words = problemInWords(problem)
    const clause = words?.replace(/\.$/, '')
    return clause === undefined || label === '' ? clause : `${labelInWords(label)}: ${clause}`
  })
  return told.every((one) => one !== undefined) ? `${told.join('; ')}.` : (codeInWords(code) ?? message)
}
