import codes from './fr/codes.json'
import grammar from './fr/grammar.json'
import kinds from './fr/kinds.json'
import labels from './fr/labels.json'
import type { Terms } from './en.ts'
import { withPlainKinds } from './plain.ts'

/** The French terms. */
export const terms: Terms = withPlainKinds('fr', { codes, grammar, kinds, labels })
