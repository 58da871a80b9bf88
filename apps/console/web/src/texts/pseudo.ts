import { texts as english, type Texts } from './en.ts'

type Branch = { readonly [key: string]: string | Branch }

/** The English texts in brackets. A text without them comes from no catalogue: it would stay English in every language. */
export const texts = inBrackets(english) as Texts

function inBrackets(branch: Branch): Branch {
  return Object.fromEntries(
    Object.entries(branch).map(([key, text]) => [key, typeof text === 'string' ? `⟦${text}⟧` : inBrackets(text)]),
  )
}
