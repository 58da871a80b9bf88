import { expect, it } from 'vitest'
import { movedBy, newQuestion, problemsOf } from './questions.ts'

const asked = (label: string) => ({ ...newQuestion, label })

it('refuses a question without a text, one that is asked twice, and a choice of nothing', () => {
  const problems = problemsOf([
    asked('Size'),
    asked(' Size '),
    asked(' '),
    { ...asked('Colour'), type: 'SELECT' },
    { ...asked('Place'), type: 'SELECT', options: ['Here'] },
  ])
  expect(problems.map((problem) => problem && Object.keys(problem))).toEqual([
    undefined,
    ['label'],
    ['label'],
    ['options'],
    undefined,
  ])
})

it('moves a question a place', () => {
  const [a, b, c] = ['a', 'b', 'c'].map(asked)
  expect(movedBy([a!, b!, c!], 2, -1)).toEqual([a, c, b])
  expect(movedBy([a!, b!, c!], 0, 1)).toEqual([b, a, c])
})
