import audit from '../ru/audit.json'
import settings from '../ru/settings.json'
import type { SettingsTexts } from './en.ts'

export const texts: SettingsTexts = { audit, settings }
