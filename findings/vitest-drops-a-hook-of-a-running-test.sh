#!/usr/bin/env bash
# Vitest 5.1.1: `afterAll` that is called while a test runs is dropped, without an error.
#
# Expected: the hook runs after the file, or the call fails, because a test has `onTestFinished` of its own for what it opens.
# Seen: the run passes and the hook never runs, also where a helper calls it, so what the helper opened stays open. The same helper
# works from the top of the file.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund vitest@5.1.1
cat >hooks.test.mjs <<'JS'
import { writeFileSync } from 'node:fs'
import { afterAll, expect, it } from 'vitest'
const open = (name) => afterAll(() => writeFileSync(`${name}.closed`, ''))
open('top')
it('opens something', () => {
  open('inside')
  expect(1).toBe(1)
})
JS
code=0
npx vitest run --reporter=dot >out.txt 2>&1 || code=$?
seen="exit code $code, closed: $(ls -- *.closed | tr '\n' ' ')"
echo "vitest $(node -p 'require("./node_modules/vitest/package.json").version'): $seen"
[ "$seen" = "exit code 0, closed: top.closed " ] && echo "As seen." || { echo "This has changed."; exit 1; }
