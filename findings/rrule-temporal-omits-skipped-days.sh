#!/usr/bin/env bash
# rrule-temporal 2.2.8: SKIP says nothing about BYMONTHDAY in a rule by months.
#
# Expected: FREQ=MONTHLY;BYMONTHDAY=31;RSCALE=GREGORIAN;SKIP=BACKWARD has a day in every month, its last one, as RFC 7529, section 4.1,
# says: SKIP applies to days of the month that do not exist, whether BYMONTHDAY or DTSTART names them.
# Seen: without BYMONTHDAY, and in a rule by years, the days are moved; with BYMONTHDAY in a rule by months they are left out, as with
# SKIP=OMIT, and nothing says so.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts rrule-temporal@2.2.8
cat >look.mjs <<'JS'
import { RRuleTemporal } from 'rrule-temporal'
const ask = (rule) => {
  const made = new RRuleTemporal({ rruleString: `DTSTART:20260131T090000Z\nRRULE:${rule};RSCALE=GREGORIAN;SKIP=BACKWARD;COUNT=4` })
  const days = made.all().map((time) => time.toString().slice(0, 10)).join(' ')
  console.log(`${rule}: ${days}`)
  return days
}
const byStart = ask('FREQ=MONTHLY')
const byDay = ask('FREQ=MONTHLY;BYMONTHDAY=31')
const byYear = ask('FREQ=YEARLY;BYMONTH=1,2,3,4;BYMONTHDAY=31')
const moved = '2026-01-31 2026-02-28 2026-03-31 2026-04-30'
const isAsSeen = byStart === moved && byYear === moved && byDay === '2026-01-31 2026-03-31 2026-05-31 2026-07-31'
console.log(isAsSeen ? 'As seen.' : 'This has changed.')
process.exitCode = isAsSeen ? 0 : 1
JS
node look.mjs
