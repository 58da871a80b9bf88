import { expect, it } from 'vitest'
import { readEmail } from './emails.ts'
import { readChoice, readFlag } from './words.ts'

it.each(['yes', 'Ja', 'oui', 'Sí', 'да', 'TRUE', '1', 'x', '✓'])('%s is yes', (text) => {
  expect(readFlag(text)).toEqual({ value: true })
})

it.each(['no', 'Nein', 'non', 'нет', 'false', '0'])('%s is no', (text) => {
  expect(readFlag(text)).toEqual({ value: false })
})

it('what is neither is refused', () => {
  expect(readFlag('maybe')).toMatchObject({ problem: '“maybe” says neither yes nor no' })
})

const choices = [
  { value: 'IN_PROGRESS', labels: ['Working on it', 'In Arbeit'] },
  { value: 'DONE', labels: ['Finished', 'Erledigt'] },
  { value: 'LOST', labels: ['Finished'] },
]

it.each([
  ['IN_PROGRESS', 'IN_PROGRESS'],
  ['in progress', 'IN_PROGRESS'],
  ['In-Progress', 'IN_PROGRESS'],
  ['IN ARBEIT', 'IN_PROGRESS'],
  ['erledigt', 'DONE'],
])('%s is the choice %s', (text, value) => {
  expect(readChoice(text, choices)).toEqual({ value })
})

it.each([
  ['Won', '“Won” is none of the choices'],
  ['Finished', '“Finished” is the name of several choices'],
])('%s is no choice', (text, problem) => {
  expect(readChoice(text, choices)).toMatchObject({ problem })
})

it.each([
  ['ada@acme.example', 'ada@acme.example'],
  ['Ada Lovelace <ada@acme.example>', 'ada@acme.example'],
  ['mailto:ada@acme.example', 'ada@acme.example'],
  ['\u202aada@acme.example\u202c', 'ada@acme.example'],
])('the address in %s', (text, value) => {
  expect(readEmail(text)).toEqual({ value })
})

it.each(['ada', 'ada@', 'ada at acme.example', 'a@b@c.example'])('%s is no address', (text) => {
  expect(readEmail(text)).toMatchObject({ problem: `“${text}” is no email address` })
})
