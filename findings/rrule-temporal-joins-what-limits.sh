#!/usr/bin/env bash
# rrule-temporal 2.2.8: BYYEARDAY and BYDAY of a yearly rule are joined instead of limiting each other.
#
# Expected: FREQ=YEARLY;BYYEARDAY=59;BYDAY=SU has the 59th days of years that are Sundays, as the table of RFC 5545, section 3.3.10 has it
# (BYDAY limits where BYYEARDAY or BYMONTHDAY is present); the same for BYYEARDAY with BYMONTHDAY, and for BYMONTHDAY with such as BYDAY=1FR.
# Seen: days come that fit one of the two parts alone.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts rrule-temporal@2.2.8
cat >look.mjs <<'JS'
import { RRuleTemporal } from 'rrule-temporal'
const ask = (rule) => {
  const made = new RRuleTemporal({ rruleString: `DTSTART:20240101T090000Z\nRRULE:FREQ=YEARLY;${rule};UNTIL=20291231T000000Z` })
  const days = made.all().map((time) => time.toString().slice(0, 10))
  console.log(`${rule}: ${days.slice(0, 6).join(' ')} ...`)
  return days
}
const dayOfYear = (day) => (Date.parse(day) - Date.parse(`${day.slice(0, 4)}-01-01`)) / 86_400_000 + 1
const foreign = [
  ask('BYYEARDAY=59;BYDAY=2SU').filter((day) => dayOfYear(day) !== 59),
  ask('BYYEARDAY=200;BYMONTHDAY=1').filter((day) => !day.endsWith('-01')),
  ask('BYMONTHDAY=8;BYDAY=1FR').filter((day) => !day.endsWith('-08')),
]
console.log(`Days that do not fit both parts: ${foreign.map(({ length }) => length).join(', ')}`)
const isAsSeen = foreign.every(({ length }) => length > 0)
console.log(isAsSeen ? 'As seen.' : 'This has changed.')
process.exitCode = isAsSeen ? 0 : 1
JS
node look.mjs
