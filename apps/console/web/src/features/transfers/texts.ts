import { loadTexts } from '../../base/texts.ts'

export const t = await loadTexts('transfers')
