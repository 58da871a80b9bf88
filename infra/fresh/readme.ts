import { readFileSync } from 'node:fs'

/** Blocks that need a client or a container engine, which a bare machine lacks. */
const needsMore = /^(claude|docker) /

/** The two commands that this test runs itself. */
const elsewhere = /^npm (start|test)\b/

/**
 * Returns the commands of the README that a newcomer can type beside a running `npm start`, as one script for Bash.
 *
 * It ends at the first command that fails. An error in an answer of the service counts as a failure.
 */
export function readmeScript(): string {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  const blocks = [...readme.matchAll(/^```sh\n(.*?)^```$/gms)]
    .map(([, block]) => block ?? '')
    .filter((block) => !block.split('\n').some((line) => needsMore.test(line)))
  const lines = blocks
    .join('\n')
    .split('\n')
    .filter((line) => !elsewhere.test(line))
  // `curl -s` alone treats every answer as a success.
  return ['set -e', 'curl() { command curl --fail-with-body --show-error "$@"; echo; }', ...lines].join('\n')
}
