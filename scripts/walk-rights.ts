// `npm run test:rights -- --walks 5000 --steps 60 [--seed N]`: longer walks through the rights than `npm test` takes.
import { spawn } from 'node:child_process'
import { parseArgs } from 'node:util'

const { values } = parseArgs({ options: { walks: { type: 'string', default: '1000' }, steps: { type: 'string', default: '20' }, seed: { type: 'string' } } })
const env = { ...process.env, RIGHTS_WALKS: values.walks, RIGHTS_STEPS: values.steps, ...(values.seed ? { RIGHTS_SEED: values.seed } : {}) }
const run = spawn('npx', ['vitest', 'run', 'apps/crm-api/test/rights.walk.test.ts'], { env, stdio: 'inherit' })
run.on('exit', (code) => {
  process.exitCode = code ?? 1
})
