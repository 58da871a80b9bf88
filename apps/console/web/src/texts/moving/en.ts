import cellProblems from '../en/cellProblems.json'
import fileProblems from '../en/fileProblems.json'
import moving from '../en/moving.json'

/** The English texts of moving in; the other languages have the same keys. */
export const texts = { cellProblems, fileProblems, moving }

export type MovingTexts = typeof texts
