import alsoCalled from '../ru/alsoCalled.json'
import type { SearchingTexts } from './en.ts'

export const texts: SearchingTexts = { alsoCalled }
