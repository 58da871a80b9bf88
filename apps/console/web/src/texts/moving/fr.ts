import cellProblems from '../fr/cellProblems.json'
import fileProblems from '../fr/fileProblems.json'
import moving from '../fr/moving.json'
import type { MovingTexts } from './en.ts'

export const texts: MovingTexts = { cellProblems, fileProblems, moving }
