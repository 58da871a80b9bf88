import cellProblems from '../de/cellProblems.json'
import fileProblems from '../de/fileProblems.json'
import moving from '../de/moving.json'
import type { MovingTexts } from './en.ts'

export const texts: MovingTexts = { cellProblems, fileProblems, moving }
