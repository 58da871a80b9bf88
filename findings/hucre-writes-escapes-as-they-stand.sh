#!/usr/bin/env bash
# hucre 1.0.0: a text that looks like an escape is written as it stands, and read back as another one.
#
# Expected: the cell `_x0041_` comes back as `_x0041_`. In the strings of a workbook `_xHHHH_` stands for a character (ECMA-376, part 1, 22.9.2.19), so a
# writer puts `_x005F_` for the underscore of a text that only looks so. Excel and LibreOffice do.
# Seen: `writeXlsxStream` writes `_x0041_`, and the reader of the same library, like others, gives `A`. With the underscore escaped before, it comes back.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund hucre@1.0.0
cat >look.mjs <<'JS'
import { streamXlsxRows, writeXlsxStream } from 'hucre'
async function back(cell) {
  const pieces = []
  for await (const piece of writeXlsxStream([[cell]], { name: 'sheet' })) pieces.push(piece)
  for await (const { values } of streamXlsxRows(Buffer.concat(pieces))) return values[0]
}
const found = [await back('_x0041_'), await back('_x005F_x0041_')]
console.log(`_x0041_ comes back as ${found[0]}, _x005F_x0041_ as ${found[1]}`)
const isAsSeen = found[0] === 'A' && found[1] === '_x0041_'
console.log(isAsSeen ? 'As seen.' : 'This has changed.')
process.exitCode = isAsSeen ? 0 : 1
JS
node look.mjs
