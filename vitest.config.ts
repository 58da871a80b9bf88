import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { compiledTexts } from './apps/console/compiled-texts.ts'
import { requireOwnNode } from './infra/local/own-node.ts'
import { workersOf } from './infra/local/workers.ts'

requireOwnNode()

const isDeep = Number(process.env['TEST_EFFORT'] ?? 0) >= 1

export default defineConfig({
  plugins: [compiledTexts],
  test: {
    include: ['{apps,packages,infra,scripts,bench}/**/*.test.{ts,tsx}'],
    // What takes long and breaks seldom is tried before a release, by `npm run test:deep`.
    exclude: isDeep ? ['**/node_modules/**'] : ['**/node_modules/**', '**/*.deep.test.ts'],
    globalSetup: ['infra/local/vitest-global-setup.ts'],
    setupFiles: ['infra/local/vitest-setup.ts'],
    reporters: ['default', './infra/local/reporter.ts'],
    runner: './infra/local/runner.ts',
    pool: 'forks',
    // What test files import is evaluated once per process: that is most of what a file costs otherwise.
    isolate: false,
    maxWorkers: workersOf(availableParallelism(), process.availableMemory()),
    // Far beyond what anything takes, for machines that others use as well: what has hung fails, what is slow does not.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
  },
})
