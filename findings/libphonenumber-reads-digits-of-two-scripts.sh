#!/usr/bin/env bash
# libphonenumber-js 1.13.16: a number in the digits of most scripts is no number.
#
# Expected: digits are digits in every script, as Unicode's category Nd has them (the original library in Java asks Character.digit).
# Seen: wide digits and both kinds of Arabic ones are read; the same number in Devanagari, Bengali, Thai or Burmese digits gives nothing
# at all, neither a number nor an error. So digits become 0 to 9 before the library sees them.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts libphonenumber-js@1.13.16
cat >look.mjs <<'JS'
import { readFileSync } from 'node:fs'
import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
const { version } = JSON.parse(readFileSync('node_modules/libphonenumber-js/package.json', 'utf8'))
const seen = {}
for (const system of ['latn', 'fullwide', 'arab', 'arabext', 'deva', 'beng', 'thai', 'mymr']) {
  const digits = new Intl.NumberFormat(`en-u-nu-${system}`, { useGrouping: false }).format(4_930_123_456)
  seen[system] = parsePhoneNumberFromString(`+${digits}`)?.number ?? null
}
console.log(`libphonenumber-js ${version}, Node ${process.version}: ${JSON.stringify(seen)}`)
const read = '+4930123456'
const isAsSeen =
  JSON.stringify(seen) ===
  JSON.stringify({ latn: read, fullwide: read, arab: read, arabext: read, deva: null, beng: null, thai: null, mymr: null })
console.log(isAsSeen ? 'As seen.' : 'This has changed.')
process.exit(isAsSeen ? 0 : 1)
JS
npx --yes --package=node@26.10.0 --call 'node look.mjs'
