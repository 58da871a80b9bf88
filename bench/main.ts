// `npm run bench`: our figures beside those of the floor, measured in turn on the same servers. `--quick` for a first look.
import { parseArgs } from 'node:util'
import { compare, measure, warmUpSeconds } from './load.ts'
import { crmApiRows, growthRows, prepareFloor, warmUp, type RatioRow } from './rows.ts'
import { createInvoiceRow } from './rows-of-finance.ts'
import { priceRow } from './rows-of-prices.ts'
import { measureImport, recordRows, searchRow } from './rows-of-records.ts'
import { bookingRow, createBookingRow, hookRow, toolRows } from './rows-of-others.ts'
import { freePort } from '../infra/local/ports.ts'
import { setStage } from './stage.ts'

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false }, only: { type: 'string' } } })
const pace = values.quick ? { rounds: 1, seconds: 2, connections: 8 } : { rounds: 5, seconds: 4, connections: 8 }
const [small, middle, large] = values.quick ? [1_000, 10_000, 100_000] : [10_000, 100_000, 1_000_000]
const say = (line: string): void => console.log(line)
const isWanted = (what: string): boolean => values.only === undefined || what.includes(values.only)

const stage = await setStage([small, middle, large], say)
try {
  const floor = await stage.start('floor', 'bench/floor.ts')
  const api = await stage.start('crm-api', 'apps/crm-api/bundle/main.js')
  const smtpPort = String(await freePort())
  await stage.start('mail-sink', 'bench/mail-sink.ts', { SMTP_PORT: smtpPort })
  const booking = await stage.start('booking', 'apps/booking/bundle/main.js', { SMTP_URL: `smtp://127.0.0.1:${smtpPort}` })
  const ingress = await stage.start('webhooks', 'apps/webhooks/bundle/main-ingress.js')
  const gateway = await stage.start('mcp-gateway', 'apps/mcp-gateway/bundle/main.js', { CRM_API_URL: api.url })
  await prepareFloor(stage, stage.workspace(middle))

  say(`\n${'route'.padEnd(46)}${'ours/s'.padStart(9)}${'floor/s'.padStart(9)}${'ratio'.padStart(8)}${'promised'.padStart(10)}${'p95 ms'.padStart(9)}`)
  const workspace = stage.workspace(middle)
  await warmUp(api, workspace)
  const rows = [
    ...crmApiRows(api, floor, stage, middle),
    ...recordRows(api, floor, workspace),
    await priceRow(api, floor, stage, workspace),
    await bookingRow(booking, floor, stage, workspace),
    await hookRow(ingress, floor, stage, workspace),
    ...toolRows(gateway, api, workspace),
  ]
  for (const row of rows) if (isWanted(row.what)) await printRatio(row)

  say(`\n${'latency (median, one connection)'.padEnd(46)}${short(small).padStart(9)}${short(middle).padStart(9)}${short(large).padStart(9)}${'growth'.padStart(8)}${'promised'.padStart(10)}`)
  for (const { what, on, atMost } of growthRows(api)) {
    if (!isWanted(what)) continue
    const medians: number[] = []
    for (const size of [small, middle, large]) {
      await measure(on(stage.workspace(size)), 1, 1)
      medians.push((await measure(on(stage.workspace(size)), 1, pace.seconds)).p50Ms)
    }
    const growth = (medians[2] ?? 0) / (medians[0] ?? 1)
    say(`${what.padEnd(46)}${medians.map((ms) => ms.toFixed(2).padStart(9)).join('')}${growth.toFixed(2).padStart(8)}${`≤ ${atMost}`.padStart(10)}`)
  }

  const found = searchRow(api, floor, stage.workspace(large))
  if (isWanted(found.what)) {
    say(`\n${'latency (one connection)'.padEnd(46)}${'p50 ms'.padStart(9)}${'p95 ms'.padStart(9)}${'floor p50'.padStart(10)}${'ratio'.padStart(8)}${'promised'.padStart(10)}`)
    await measure(found.ours, 1, 1)
    const ours = await measure(found.ours, 1, pace.seconds)
    const bare = await measure(found.floor, 1, pace.seconds)
    say(`${found.what.padEnd(46)}${ours.p50Ms.toFixed(1).padStart(9)}${ours.p95Ms.toFixed(1).padStart(9)}${bare.p50Ms.toFixed(1).padStart(10)}${(bare.p50Ms / ours.p50Ms).toFixed(2).padStart(8)}${'≤ 50 ms'.padStart(10)}`)
  }

  if (isWanted('import')) {
    const importRows = values.quick ? 10_000 : 100_000
    const { rowsPerSecond, copyRowsPerSecond } = await measureImport(api, stage, workspace, importRows)
    say(`\n${'import of leads'.padEnd(46)}${'rows/s'.padStart(9)}${'COPY/s'.padStart(9)}${'ratio'.padStart(8)}${'promised'.padStart(10)}`)
    say(`${`${short(importRows)} rows`.padEnd(46)}${rowsPerSecond.toFixed(0).padStart(9)}${copyRowsPerSecond.toFixed(0).padStart(9)}${(rowsPerSecond / copyRowsPerSecond).toFixed(2).padStart(8)}${'≥ 0.15'.padStart(10)}`)
  }

  // What the import left to PostgreSQL is done before latencies are looked at, and not meanwhile.
  await stage.owner.query('VACUUM ANALYZE')
  await stage.owner.query('CHECKPOINT')
  for (const { what, load, connections, p95MsMax } of [createInvoiceRow(api, workspace), await createBookingRow(booking, stage, workspace)]) {
    if (!isWanted(what)) continue
    say(`\n${'latency (p95, many connections)'.padEnd(46)}${'p50 ms'.padStart(9)}${'p95 ms'.padStart(9)}${'promised'.padStart(10)}`)
    // One run after another: every booking is of a time of its own.
    let sent = 0
    const goingOn = { ...load, request: () => load.request(sent++) }
    await measure(goingOn, connections, warmUpSeconds)
    const { p50Ms, p95Ms } = await measure(goingOn, connections, pace.seconds)
    say(`${`${what}, ${connections} at once`.padEnd(46)}${p50Ms.toFixed(1).padStart(9)}${p95Ms.toFixed(1).padStart(9)}${`≤ ${p95MsMax}`.padStart(10)}`)
  }

  say('\nmemory under load')
  for (const { name, rssMb } of stage.processes.values()) say(`${name.padEnd(46)}${`${rssMb()} MB`.padStart(9)}`)
} finally {
  await stage.close()
}

async function printRatio({ what, ours, floor, connections = pace.connections, atLeast }: RatioRow): Promise<void> {
  const figure = await compare(ours, floor, { ...pace, connections })
  const promised = atLeast === null ? '' : `≥ ${atLeast}`
  say(`${what.padEnd(46)}${figure.ours.toFixed(0).padStart(9)}${figure.floor.toFixed(0).padStart(9)}${figure.ratio.toFixed(2).padStart(8)}${promised.padStart(10)}${figure.p95Ms.toFixed(2).padStart(9)}`)
}

function short(count: number): string {
  return count >= 1_000_000 ? `${count / 1_000_000}M` : `${count / 1_000}k`
}
