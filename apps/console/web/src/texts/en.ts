import codes from './en/codes.json'
import grammar from './en/grammar.json'
import kinds from './en/kinds.json'
import labels from './en/labels.json'
import { withPlainKinds } from './plain.ts'

/** The English terms. */
export const terms = withPlainKinds('en', { codes, grammar, kinds, labels })

export type Terms = typeof terms
