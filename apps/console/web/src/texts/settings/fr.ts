import audit from '../fr/audit.json'
import settings from '../fr/settings.json'
import type { SettingsTexts } from './en.ts'

export const texts: SettingsTexts = { audit, settings }
