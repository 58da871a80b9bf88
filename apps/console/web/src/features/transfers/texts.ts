import { loadTexts } from '../../base/texts.ts'

/** Returns a text of moving in or of all pages. */
export const t = await loadTexts({
  en: () => import('../../texts/moving/en.ts'),
  de: () => import('../../texts/moving/de.ts'),
  fr: () => import('../../texts/moving/fr.ts'),
  es: () => import('../../texts/moving/es.ts'),
  ru: () => import('../../texts/moving/ru.ts'),
})
