#!/usr/bin/env bash
# rolldown 1.2.19: a module with a top-level await that a group of codeSplitting puts beside others delays all that import those.
#
# Expected: an entry that does not import the awaiting module runs at once, as the same modules do without a bundler.
# Seen: the group is one file, so the entry waits for the module. Groups say nothing about it; a `test` that leaves the module out of the
# group helps.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts rolldown@1.2.19
cat >late.mjs <<'JS'
export const late = await new Promise((done) => setTimeout(() => done('late'), 200))
JS
echo "export const soon = 'soon'" >soon.mjs
echo "import { soon } from './soon.mjs'; console.log(soon)" >one.mjs
for name in two three; do
  echo "import { soon } from './soon.mjs'; import { late } from './late.mjs'; console.log(soon, late)" >$name.mjs
done
cat >look.mjs <<'JS'
import { execFileSync } from 'node:child_process'
import { rolldown } from 'rolldown'
const took = (path) => {
  const code = `const start = performance.now(); await import(${JSON.stringify(path)}); console.log(performance.now() - start > 150)`
  return execFileSync(process.execPath, ['--input-type=module', '--eval', code], { encoding: 'utf8' }).trim().split('\n').at(-1)
}
const input = ['one.mjs', 'two.mjs', 'three.mjs']
const build = async (dir, group) => {
  const bundle = await rolldown({ input })
  const codeSplitting = { groups: [{ name: 'parts', minShareCount: 2, ...group }] }
  await bundle.write({ dir, entryFileNames: '[name].mjs', chunkFileNames: '[name].mjs', codeSplitting })
}
await build('grouped', {})
await build('apart', { test: (id) => !id.endsWith('late.mjs') })
console.log('the first entry waits without a bundler:', took(`${process.cwd()}/one.mjs`))
console.log('the first entry waits in the group:', took(`${process.cwd()}/grouped/one.mjs`))
console.log('the first entry waits with the module apart:', took(`${process.cwd()}/apart/one.mjs`))
JS
node look.mjs | tee seen
[ "$(sed 's/.*: //' seen | paste -sd ' ')" = "false true false" ] && echo "As seen." || { echo "This has changed."; exit 1; }
