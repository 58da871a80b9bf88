import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { TestRunner, type RunnerTask, type RunnerTestCase, type RunnerTestFile, type TestContext } from 'vitest'
import { beginTrace, endTrace, leaveEvidence } from '../../packages/testkit/src/evidence.ts'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** What a test file imports or calls that starts a browser or a process of the product. */
const startsMore =
  /\b(?:launchBrowser|openPages|startProcess|startInstallation|startHarness)\b|from 'node:child_process'/

/** Whether the first try of each test that has a second one fails when it is done: what it leaves behind is then met by the second one. */
const triesTwice = process.env['TEST_SECOND_TRIES'] !== undefined

/**
 * Runs the tests of a file: those with a browser or further processes get a second try (docs/decisions/second-tries.md), and a test that
 * fails leaves evidence before its own hooks tidy up.
 */
export default class Runner extends TestRunner {
  onCollected(files: RunnerTestFile[]): void {
    for (const file of files) {
      // A file that could not be loaded has no tests, and no hooks.
      if (file.result?.state === 'fail') continue
      if (startsMore.test(readFileSync(file.filepath, 'utf8'))) tryTwice(file.tasks)
      const { beforeEach, afterEach } = TestRunner.getSuiteHooks(file)
      beforeEach.push(({ task }: TestContext) => {
        if (isSecondTry(task)) beginTrace()
      })
      // The last hook of a file is the first to run after a test.
      afterEach.push(endTrace, leaveEvidenceOf)
    }
  }

  override onAfterTryTask(test: RunnerTestCase): void {
    super.onAfterTryTask(test)
    if (triesTwice && test.retry && !isSecondTry(test)) throw new Error('The first try fails on purpose')
  }
}

function tryTwice(tasks: readonly RunnerTask[]): void {
  for (const task of tasks) {
    if (task.type === 'suite') tryTwice(task.tasks)
    else if (!task.retry) task.retry = 1
  }
}

async function leaveEvidenceOf({ task }: TestContext): Promise<void> {
  if (task.result?.state !== 'fail') return
  const evidence = await leaveEvidence(`${relative(root, task.file.filepath)} ${task.fullTestName}`, isSecondTry(task))
  console.error(`Evidence of "${task.fullTestName}": ${evidence}`)
}

function isSecondTry(task: TestContext['task']): boolean {
  return (task.result?.retryCount ?? 0) > 0
}
