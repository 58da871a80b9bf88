import audit from '../es/audit.json'
import settings from '../es/settings.json'
import type { SettingsTexts } from './en.ts'

export const texts: SettingsTexts = { audit, settings }
