#!/usr/bin/env bash
# rrule-temporal 2.2.8: between() and next() take another day of the week than all() for a week without a day.
#
# Expected: FREQ=YEARLY;BYWEEKNO=9 from Sunday, 18 February 2024 is on the Sunday of week 9 of each year: what a rule leaves open comes from
# DTSTART (RFC 5545, section 3.3.10), and every way to ask has the same answer.
# Seen: all() has Sundays. between() begins with a later year and takes the day of the week that 18 February has there, such as the Tuesday
# of 2025.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts rrule-temporal@2.2.8
cat >look.mjs <<'JS'
import { RRuleTemporal } from 'rrule-temporal'
const made = new RRuleTemporal({ rruleString: 'DTSTART:20240218T090000Z\nRRULE:FREQ=YEARLY;BYWEEKNO=9' })
const days = (times) => times.map((time) => time.toString().slice(0, 10)).join(' ')
const whole = days(made.all((time) => time.year < 2028).filter(({ year }) => year === 2026 || year === 2027))
const part = days(made.between(new Date('2026-01-01'), new Date('2028-01-01'), true))
console.log(`all():     ${whole}\nbetween(): ${part}`)
const isAsSeen = whole !== part
console.log(isAsSeen ? 'As seen.' : 'This has changed.')
process.exitCode = isAsSeen ? 0 : 1
JS
node look.mjs
