import cellProblems from '../ru/cellProblems.json'
import moving from '../ru/moving.json'
import type { MovingTexts } from './en.ts'

export const texts: MovingTexts = { cellProblems, moving }
