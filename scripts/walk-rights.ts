// `npm run test:rights -- --walks 5000 --steps 60 [--automation-walks N] [--seed N]`: longer walks through the rights than in `npm test`.
// Walks with background work take longer: by default there is one for ten others.
// A long run has rounds, so that it shows its progress, and so that an interruption loses one round only.
import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { parseArgs } from 'node:util'

const walksOfRound = 250
const tests = ['apps/crm-api/test/rights.walk.test.ts', 'apps/crm-api/test/scim.walk.test.ts', 'infra/rights']

const { values } = parseArgs({
  options: {
    walks: { type: 'string', default: '1000' },
    steps: { type: 'string', default: '20' },
    'automation-walks': { type: 'string' },
    seed: { type: 'string' },
  },
})
const walks = Number(values.walks)
const automationWalks = Number(values['automation-walks'] ?? Math.ceil(walks / 10))
const firstSeed = Number(values.seed ?? randomInt(2 ** 30))
const rounds = Math.max(1, Math.ceil(walks / walksOfRound))

/** Returns how many of `all` belong to a round, so that every round except the last has the same number. */
function share(all: number, round: number): number {
  const each = Math.ceil(all / rounds)
  return Math.max(0, Math.min(each, all - round * each))
}

for (let round = 0; round < rounds && !process.exitCode; round += 1) {
  const seed = firstSeed + round
  const env = {
    ...process.env,
    RIGHTS_WALKS: String(share(walks, round)),
    RIGHTS_AUTOMATION_WALKS: String(share(automationWalks, round)),
    RIGHTS_STEPS: values.steps,
    TEST_SEED: String(seed),
  }
  const run = spawn('npx', ['vitest', 'run', ...tests], {
    env,
    stdio: 'inherit',
  })
  const [code] = (await once(run, 'exit')) as [number | null]
  process.exitCode = code ?? 1
  console.log(
    `Round ${String(round + 1)} of ${String(rounds)} (${String(share(walks, round))} walks, seed ${String(seed)}): ${code === 0 ? 'nothing found' : 'ended with a finding or a fault'}.`,
  )
}
