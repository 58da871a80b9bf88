import alsoCalled from '../es/alsoCalled.json'
import type { SearchingTexts } from './en.ts'

export const texts: SearchingTexts = { alsoCalled }
