import { expect, it } from 'vitest'
import { answerTo } from './replying.ts'

it('answers everybody but oneself, with one Re:', () => {
  const participants = [{ email: 'Me@here.example' }, { email: 'rita@example.com' }, { email: null }, {}]
  expect(answerTo({ subject: 'Our offer', participants }, 'me@here.example')).toEqual({
    to: 'rita@example.com',
    subject: 'Re: Our offer',
  })
  expect(answerTo({ subject: 'RE: Our offer' }, 'me@here.example')).toEqual({ to: '', subject: 'RE: Our offer' })
})
