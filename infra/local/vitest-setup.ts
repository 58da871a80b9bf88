import { cleanUpAfterFile } from '../../packages/testkit/src/cleanup.ts'
import { afterAll } from 'vitest'

// Vitest runs this for every test file, while the modules that files share are evaluated once in a process. A hook cannot be added
// from within a test; the first hook of a file is the last to run.
afterAll(cleanUpAfterFile)
