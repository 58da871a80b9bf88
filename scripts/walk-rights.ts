// `npm run test:rights -- --walks 5000 --steps 60 [--automation-walks N] [--seed N]`: longer walks through the rights than `npm test` takes.
// Walks with the work behind the API take longer: there is one for ten others unless told.
import { spawn } from 'node:child_process'
import { parseArgs } from 'node:util'

const { values } = parseArgs({ options: { walks: { type: 'string', default: '1000' }, steps: { type: 'string', default: '20' }, 'automation-walks': { type: 'string' }, seed: { type: 'string' } } })
const automationWalks = values['automation-walks'] ?? String(Math.ceil(Number(values.walks) / 10))
const env = { ...process.env, RIGHTS_WALKS: values.walks, RIGHTS_AUTOMATION_WALKS: automationWalks, RIGHTS_STEPS: values.steps, ...(values.seed ? { RIGHTS_SEED: values.seed } : {}) }
const run = spawn('npx', ['vitest', 'run', 'apps/crm-api/test/rights.walk.test.ts', 'infra/rights'], { env, stdio: 'inherit' })
run.on('exit', (code) => {
  process.exitCode = code ?? 1
})
