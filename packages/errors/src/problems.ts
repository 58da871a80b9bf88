export { cellProblems, sentenceOfProblem, type CellProblem, type CellProblemCode } from './cell-problems.ts'
export { fileProblems, sentenceOfFileProblem, type FileProblem, type FileProblemCode } from './file-problems.ts'
