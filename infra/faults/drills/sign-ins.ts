import { testPassword } from '../../../packages/testkit/src/workspace.ts'
import { promise } from '../../stage/drills.ts'
import { forSeconds, tally, type Drill } from '../drill.ts'
import { addressOf, call, outcomeOf } from '../../stage/requests.ts'

const atOnce = 100
const seconds = 30

/** Guesses from a thousand addresses, each for another account, so that no limit of an address or account is met. */
export const signIns: Drill = {
  name: `${atOnce} sign-ins at once go on for ${seconds} seconds`,
  prepare: async ({ port, tenant }) => {
    const [guessed, owned] = [await tenant(), await tenant()]
    const signIn = (host: string, email: string, password: string, from: string) =>
      call(port, { host, path: '/api/auth/login', body: { email, password }, from, withinMs: 60_000 })
    return async () => {
      const outcomes: (number | string)[] = []
      const flood = forSeconds(seconds, atOnce, async (n) => {
        outcomes.push(
          await outcomeOf(signIn(guessed.host, `nobody${n}@${guessed.host}`, 'a guess of ten', addressOf(n % 1_000))),
        )
      })
      const own: (number | string)[] = []
      await forSeconds(
        seconds,
        1,
        async (n) =>
          void own.push(
            await outcomeOf(signIn(owned.host, owned.adminEmail, testPassword, `127.0.6.${1 + (n % 100)}`)),
          ),
      )
      await flood
      promise(
        own.every((outcome) => outcome === 200),
        `people of another workspace were answered ${tally(own)}`,
      )
      promise(
        outcomes.every((outcome) => [401, 429, 503].includes(Number(outcome))),
        `the guesses were answered ${tally(outcomes)}`,
      )
      return `guesses: ${tally(outcomes)}; people of another workspace: ${tally(own)}`
    }
  },
}
