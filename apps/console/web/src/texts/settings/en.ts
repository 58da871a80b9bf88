import audit from '../en/audit.json'
import settings from '../en/settings.json'

/** The English texts of the settings; the other languages have the same keys. */
export const texts = { audit, settings }

export type SettingsTexts = typeof texts
