#!/usr/bin/env bash
# prom-client 15.1.3: the default metrics of a process at rest take a hundred times the processor time of the process itself.
#
# Expected: metrics that are read every fifteen seconds cost a process nothing while nobody reads them.
# Seen: the delay of the event loop is sampled by a timer of ten milliseconds from the start on, so that a process which has nothing to do is
# woken a hundred times a second. eventLoopMonitoringPrecision sets the time, which is also part of the delay that is told.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts prom-client@15.1.3
cat >look.mjs <<'JS'
import { createRequire } from 'node:module'
import { setTimeout as wait } from 'node:timers/promises'
const { Registry, collectDefaultMetrics } = createRequire(import.meta.url)('prom-client')
const wakes = () => process.resourceUsage().voluntaryContextSwitches
const within3s = async () => {
  await wait(500)
  const before = wakes()
  await wait(3_000)
  return wakes() - before
}
const bare = await within3s()
const registry = new Registry()
collectDefaultMetrics({ register: registry })
const usual = await within3s()
console.log(`prom-client 15.1.3, Node ${process.version}: ${bare > 30 ? bare : 'fewer than 30'} wakes in three seconds without it, ${usual > 200 ? 'more than 200' : usual} with it`)
const seen = bare < 30 && usual > 200
console.log(seen ? 'As seen.' : 'This has changed.')
process.exit(seen ? 0 : 1)
JS
npx --yes --package=node@26.10.0 --call 'node look.mjs'
