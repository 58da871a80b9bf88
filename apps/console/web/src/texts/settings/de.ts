import audit from '../de/audit.json'
import settings from '../de/settings.json'
import type { SettingsTexts } from './en.ts'

export const texts: SettingsTexts = { audit, settings }
