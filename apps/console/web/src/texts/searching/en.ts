import alsoCalled from '../en/alsoCalled.json'

/** What people call pages in other words, in English; the other languages have the same keys. */
export const texts = { alsoCalled }

export type SearchingTexts = typeof texts
