import { readFileSync } from 'node:fs'

const { devDependencies } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  readonly devDependencies: { readonly node: string }
}

/** Throws with a sentence when an older Node runs than the one that the project brings: a library would fail later, and say less. */
export function requireOwnNode(running: string = process.versions.node): void {
  const [own = 0, found = 0] = [devDependencies.node, running].map((version) => Number.parseInt(version, 10))
  if (found < own)
    throw new Error(
      `The tests need Node.js ${devDependencies.node}, and this is ${running}: let your editor use node_modules/.bin/node, or run \`npx vitest run FILE\`.`,
    )
}
