import alsoCalled from '../fr/alsoCalled.json'
import type { SearchingTexts } from './en.ts'

export const texts: SearchingTexts = { alsoCalled }
