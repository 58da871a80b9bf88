import cellProblems from '../fr/cellProblems.json'
import moving from '../fr/moving.json'
import type { MovingTexts } from './en.ts'

export const texts: MovingTexts = { cellProblems, moving }
