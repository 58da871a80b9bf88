import codes from './es/codes.json'
import grammar from './es/grammar.json'
import kinds from './es/kinds.json'
import labels from './es/labels.json'
import type { Terms } from './en.ts'
import { withPlainKinds } from './plain.ts'

/** The Spanish terms. */
export const terms: Terms = withPlainKinds('es', { codes, grammar, kinds, labels })
