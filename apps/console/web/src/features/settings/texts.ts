import { loadTexts } from '../../base/texts.ts'

/** Returns a text of the settings or of all pages. */
export const t = await loadTexts({
  en: () => import('../../texts/settings/en.ts'),
  de: () => import('../../texts/settings/de.ts'),
  fr: () => import('../../texts/settings/fr.ts'),
  es: () => import('../../texts/settings/es.ts'),
  ru: () => import('../../texts/settings/ru.ts'),
})
