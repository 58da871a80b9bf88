import fc from 'fast-check'
import { afterAll } from 'vitest'
import { seed } from '../../packages/testkit/src/chance.ts'
import { cleanUpAfterFile } from '../../packages/testkit/src/cleanup.ts'
import { beginInventory, requireNothingLeft } from '../../packages/testkit/src/leftovers.ts'

fc.configureGlobal({ seed })
beginInventory()

// Vitest runs this for every test file, while modules shared by files are evaluated once in a process. A test cannot add a hook
// while it runs; the first hook of a file is the last to run.
afterAll(requireNothingLeft)
afterAll(cleanUpAfterFile)
