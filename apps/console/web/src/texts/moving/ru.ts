import cellProblems from '../ru/cellProblems.json'
import fileProblems from '../ru/fileProblems.json'
import moving from '../ru/moving.json'
import type { MovingTexts } from './en.ts'

export const texts: MovingTexts = { cellProblems, fileProblems, moving }
