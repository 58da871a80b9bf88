#!/usr/bin/env bash
# fontkit 2.0.4: laying out an ordinary word fails where a font gives a mark no anchor for the letter before it.
#
# Expected: OpenType lets an anchor of a base be absent (NULL offset): the mark then has no attachment there, and the text is laid out.
# Seen: layout throws a TypeError. "Punjabi", written in its own language, fails with Noto Sans Gurmukhi, and the capital of Cambodia
# with Noto Sans Khmer; the same words are laid out with Mukta Mahee and Battambang.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts fontkit@2.0.4 @fontsource/noto-sans-gurmukhi@5.3.0 \
  @fontsource/noto-sans-khmer@5.3.0 @fontsource/mukta-mahee@5.3.0 @fontsource/battambang@5.3.0
cat >look.mjs <<'JS'
import { readFileSync } from 'node:fs'
import { create } from 'fontkit'
const { version } = JSON.parse(readFileSync('node_modules/fontkit/package.json', 'utf8'))
const lay = (name, script, word) => {
  const font = create(readFileSync(`node_modules/@fontsource/${name}/files/${name}-${script}-400-normal.woff`))
  try {
    return `${font.layout(word).glyphs.length} glyphs`
  } catch (error) {
    return error.name
  }
}
const [punjabi, phnomPenh] = ['\u0a2a\u0a70\u0a1c\u0a3e\u0a2c\u0a40', '\u1797\u17d2\u1793\u17c6\u1796\u17c1\u1789']
const seen = [
  lay('noto-sans-gurmukhi', 'gurmukhi', punjabi),
  lay('mukta-mahee', 'gurmukhi', punjabi),
  lay('noto-sans-khmer', 'khmer', phnomPenh),
  lay('battambang', 'khmer', phnomPenh),
]
console.log(`fontkit ${version}, Node ${process.version}: ${seen.join(', ')}`)
const same = seen.map((text) => /^\d+ glyphs$/.test(text)).join() === 'false,true,false,true' && seen[0] === 'TypeError'
console.log(same ? 'As seen.' : 'This has changed.')
process.exit(same ? 0 : 1)
JS
npx --yes --package=node@26.10.0 --call 'node look.mjs'
