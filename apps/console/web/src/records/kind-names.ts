import { capitalized, t } from '../base/texts.ts'
import { nounOfKnown, pluralOfKnown, wordsKey, wordsOfKnown } from './kind-words.ts'
import type { ListWords } from './list-words.tsx'
import { useKind } from './record-kinds.ts'

/** Returns the words of the pages of a kind: the names that people gave stay. */
export function useWordsOf(entityType: string): ListWords {
  const kind = useKind(entityType)
  const key = wordsKey(entityType)
  const own = wordsOfKnown(entityType)
  const [one, many] = [nounOfKnown(entityType) ?? kind?.noun ?? '', pluralOfKnown(entityType) ?? kind?.plural ?? '']
  const named = kind?.fields.find(({ key: field }) => field === kind.titleFields[0])?.label
  return {
    title: own?.title ?? (kind?.isCustom ? many : capitalized(many)),
    kind: key,
    one,
    many,
    searched: own?.searched ?? named ?? t('Name'),
    origin: own?.origin ?? t('Add your first {singular}.', { singular: one }),
  }
}
