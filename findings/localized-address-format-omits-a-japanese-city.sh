#!/usr/bin/env bash
# localized-address-format 1.3.3: parts for which a country's form has no place are left out.
#
# Expected: each part that is given stands somewhere in the lines.
# Seen: the city of an address in Japan is gone, in Japanese and in Latin letters, because the form of Google's address data has a place
# for the prefecture only and takes the city for a part of the street. A country that is not known loses its postal code.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts localized-address-format@1.3.3
cat >look.mjs <<'JS'
import { readFileSync } from 'node:fs'
import { formatAddress } from 'localized-address-format'
const { version } = JSON.parse(readFileSync('node_modules/localized-address-format/package.json', 'utf8'))
const address = { addressLines: ['Marunouchi 1-1'], locality: 'Chiyoda', administrativeArea: 'Tokyo', postalCode: '100-0005' }
const leftOut = (postalCountry, script) => {
  const text = formatAddress({ ...address, postalCountry }, script).join(' ')
  return ['locality', 'administrativeArea', 'postalCode'].filter((part) => !text.includes(address[part]))
}
const seen = { JP: leftOut('JP', 'local'), 'JP in Latin': leftOut('JP', 'latin'), US: leftOut('US', 'local'), unknown: leftOut(undefined, 'local') }
console.log(`localized-address-format ${version}, Node ${process.version}, left out: ${JSON.stringify(seen)}`)
const isAsSeen =
  JSON.stringify(seen) ===
  JSON.stringify({ JP: ['locality'], 'JP in Latin': ['locality'], US: [], unknown: ['administrativeArea', 'postalCode'] })
console.log(isAsSeen ? 'As seen.' : 'This has changed.')
process.exit(isAsSeen ? 0 : 1)
JS
npx --yes --package=node@26.10.0 --call 'node look.mjs'
