#!/usr/bin/env bash
# rrule 2.8.1 and rrule-rust 3.1.1: the first set of BYSETPOS begins at the event and not with its week.
#
# Expected: FREQ=WEEKLY;BYDAY=MO,TH;BYSETPOS=2 from Wednesday, 7 October 2026 begins on Thursday, 8 October: "A set of recurrence instances starts at the
# beginning of the interval defined by the FREQ rule part" (RFC 5545, 3.3.10), so Monday is the first of that week and Thursday the second.
# Seen: Monday is left out before positions are counted, so that week has no second day, and the first time is 15 October. A rule with COUNT
# then ends a week later as well. rrule-temporal 2.2.8 has it as the standard does.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund rrule@2.8.1 rrule-rust@3.1.1 rrule-temporal@2.2.8
cat >look.mjs <<'JS'
import { createRequire } from 'node:module'
import { RRuleTemporal } from 'rrule-temporal'
const load = createRequire(import.meta.url)
const { rrulestr } = load('rrule')
const { RRuleSet } = load('rrule-rust')
const text = 'DTSTART:20261007T110000Z\nRRULE:FREQ=WEEKLY;BYDAY=MO,TH;BYSETPOS=2;COUNT=2'
const day = (time) => String(time).replace(/^.*?(\d{4})-?(\d\d)-?(\d\d).*$/s, '$1-$2-$3')
const days = {
  rrule: rrulestr(text).all().map((time) => day(time.toISOString())),
  'rrule-rust': RRuleSet.fromString(text).all(2).map(day),
  'rrule-temporal': new RRuleTemporal({ rruleString: text }).all().map(day),
}
for (const [name, found] of Object.entries(days)) console.log(`${name}: ${found.join(' ')}`)
const isAsSeen =
  days.rrule[0] === '2026-10-15' && days['rrule-rust'][0] === '2026-10-15' && days['rrule-temporal'][0] === '2026-10-08'
console.log(isAsSeen ? 'As seen.' : 'This has changed.')
process.exitCode = isAsSeen ? 0 : 1
JS
node look.mjs
