import { capitalized, t } from '../base/texts.ts'
import type { Texts } from '../texts/en.ts'
import { nounOfKnown, pluralOfKnown, wordsKey } from './kind-words.ts'
import type { ListWords } from './list-words.tsx'
import { useKind } from './record-kinds.ts'

type KnownKind = keyof Texts['kinds']

/** Returns the words of the pages of a kind: the names that people gave stay. */
export function useWordsOf(entityType: string): ListWords {
  const kind = useKind(entityType)
  const key = wordsKey(entityType)
  const own = (name: string): string | undefined => {
    const text = `kinds.${key}.${name}` as `kinds.${KnownKind}.one`
    return t.has(text) ? t(text) : undefined
  }
  const [one, many] = [nounOfKnown(entityType) ?? kind?.noun ?? '', pluralOfKnown(entityType) ?? kind?.plural ?? '']
  const named = kind?.fields.find(({ key: field }) => field === kind.titleFields[0])?.label
  return {
    title: own('title') ?? (kind?.isCustom ? many : capitalized(many)),
    kind: key,
    one,
    many,
    searched: own('searched') ?? named ?? t('common.name'),
    origin: own('origin') ?? t('customEntities.addYourFirstSingular', { singular: one }),
  }
}
