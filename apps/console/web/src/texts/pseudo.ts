import { texts as english, type Texts } from './en.ts'

/** A text as the build compiled it, or as it was written. */
type Message = string | readonly unknown[]
type Branch = Message | { readonly [key: string]: Branch }

/** The English texts in brackets. A text without them comes from no catalogue: it would stay English in every language. */
export const texts = inBrackets(english) as Texts

function inBrackets(branch: Branch): unknown {
  if (typeof branch === 'string') return `⟦${branch}⟧`
  if (isCompiled(branch)) return ['⟦', ...branch, '⟧']
  return Object.fromEntries(Object.entries(branch).map(([key, text]) => [key, inBrackets(text)]))
}

function isCompiled(branch: Exclude<Branch, string>): branch is readonly unknown[] {
  return Array.isArray(branch)
}
