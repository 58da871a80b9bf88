import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import type { Reporter, SerializedError, TestCase, TestModule } from 'vitest/node'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** More tests that pass only at their second try are no chance. */
const flakyMax = 3
const linesOfWhy = 20

/** Says how each failed test is run alone, and which passed only at their second try. */
export default class LastWords implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const failed = tests.filter((test) => test.result().state === 'failed')
    const flaky = tests.filter((test) => test.diagnostic()?.flaky)
    if (failed.length > 0) say('Each failed test alone:', failed.map(commandOf))
    if (errors.length > 0)
      say(
        'Errors outside of tests:',
        errors.map(({ message }) => firstLine(message)),
      )
    say(
      `flaky: ${flaky.length}`,
      flaky.flatMap((test) => [`${test.fullName} (${fileOf(test)})`, ...whyFirst(test)]),
    )
    if (flaky.length <= flakyMax || process.env['TEST_SECOND_TRIES'] !== undefined) return
    console.log(`More than ${flakyMax} tests passed only at their second try, and that fails the run.`)
    process.exitCode = 1
  }
}

function say(title: string, lines: readonly string[]): void {
  console.log([`\n${title}`, ...lines.map((line) => `  ${line}`)].join('\n'))
}

/** Returns the command that runs one test alone, with the same random choices. */
function commandOf(test: TestCase): string {
  const chosen = ['TEST_SEED', 'TEST_EFFORT'].flatMap((name) =>
    process.env[name] ? [`${name}=${process.env[name]} `] : [],
  )
  const name = test.fullName.replaceAll(' > ', ' ').replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return `${chosen.join('')}npx vitest run ${fileOf(test)} -t ${JSON.stringify(name).replaceAll('$', '\\$').replaceAll('`', '\\`')}`
}

/** Returns why a test failed the first time, shortly. */
function whyFirst(test: TestCase): readonly string[] {
  const [error] = test.result().errors ?? []
  if (!error) return []
  const lines = stripVTControlCharacters(`${firstLine(error.message)}\n${error.diff ?? ''}`).split('\n')
  return lines
    .filter((line) => line.trim() !== '')
    .map((line) => `  ${line}`)
    .slice(0, linesOfWhy)
}

const fileOf = ({ module }: TestCase): string => relative(root, module.moduleId)
const firstLine = (text: string): string => text.split('\n')[0] ?? ''
