import { describe, expect, it } from 'vitest'
import { otherChallenge, senderOf, senders, withRequired } from './challenges.ts'

describe('the question of a sender', () => {
  it('is known by all that it has, but for what people choose', () => {
    for (const sender of senders) expect(senderOf(sender.challenge)).toBe(sender)
    const [meta] = senders
    expect(senderOf(withRequired(meta!.challenge, { name: 'hub.verify_token', equals: 'mine' }))).toBe(meta)
    const slack = senders.find(({ name }) => name === 'Slack')
    expect(senderOf(withRequired(slack!.challenge, { name: 'type', equals: 'other' }))).toBeUndefined()
    expect(senderOf(otherChallenge)).toBeUndefined()
  })

  it('asks for nothing more when nothing is filled in', () => {
    expect(withRequired(otherChallenge, { name: '', equals: '' })).toEqual(otherChallenge)
    expect(withRequired(otherChallenge, { name: 'a', equals: '' })).toEqual({
      ...otherChallenge,
      require: { name: 'a', equals: '' },
    })
  })
})
