import codes from './ru/codes.json'
import grammar from './ru/grammar.json'
import kinds from './ru/kinds.json'
import labels from './ru/labels.json'
import type { Terms } from './en.ts'
import { withPlainKinds } from './plain.ts'

/** The Russian terms. */
export const terms: Terms = withPlainKinds('ru', { codes, grammar, kinds, labels })
