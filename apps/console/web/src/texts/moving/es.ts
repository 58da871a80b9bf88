import cellProblems from '../es/cellProblems.json'
import fileProblems from '../es/fileProblems.json'
import moving from '../es/moving.json'
import type { MovingTexts } from './en.ts'

export const texts: MovingTexts = { cellProblems, fileProblems, moving }
