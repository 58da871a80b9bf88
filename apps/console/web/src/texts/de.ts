import codes from './de/codes.json'
import grammar from './de/grammar.json'
import kinds from './de/kinds.json'
import labels from './de/labels.json'
import type { Terms } from './en.ts'
import { withPlainKinds } from './plain.ts'

/** The German terms. */
export const terms: Terms = withPlainKinds('de', { codes, grammar, kinds, labels })
