// `npm run bench`: our figures beside the floor's, measured in turn on the same servers. `--quick` for a first look.
import { parseArgs } from 'node:util'
import { compare, compareSizes, measure, warmUp } from './load.ts'
import { crmApiRows, growthRows, meetKeys, prepareFloor, type RatioRow } from './rows.ts'
import { createInvoiceRow } from './rows-of-finance.ts'
import { priceRow } from './rows-of-prices.ts'
import { inactiveRow, measureImport, recordRows, searchRow, summaryRows } from './rows-of-records.ts'
import { bookingRow, createBookingRow, freeSlotsMs, hookRow, toolRows } from './rows-of-others.ts'
import { costOfRuns } from './runs.ts'
import { measureRest } from './rest.ts'
import { freePort } from '../infra/local/ports.ts'
import { setStage } from './stage.ts'
import { calmly, watchStolen } from './stolen.ts'

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false }, only: { type: 'string' } } })
const pace = values.quick
  ? { warmUpSeconds: 4, rounds: 1, seconds: 2, connections: 8 }
  : { warmUpSeconds: 24, rounds: 11, seconds: 2, connections: 8 }
/** The length of measurements that run once. */
const longSeconds = values.quick ? 2 : 4
const [small, middle, large] = values.quick ? [1_000, 10_000, 100_000] : [10_000, 100_000, 1_000_000]
/** The processor time of the floor for a list of 20, the measure of all others: the first row. */
let listFloorMs: number | undefined
/** The rows by whether their bound of processor time held. */
const kept: string[] = []
const broken: string[] = []
const restPercentMax = 1.5
const runMsMax = 5
const say = (line: string): void => console.log(line)
const isWanted = (what: string): boolean => values.only === undefined || what.includes(values.only)

// Measured before anything else runs on the machine.
if (isWanted('free slots')) {
  heading('inside a process (median)', 'ms', 'promised')
  line('free slots, 60 days, 500 busy intervals', freeSlotsMs().toFixed(2), '≤ 1')
}

const stage = await setStage([small, middle, large], say)
try {
  const floor = await stage.start('floor', 'bench/floor.ts')
  const api = await stage.start('crm-api', 'apps/crm-api/bundle/main.js')
  const smtpPort = String(await freePort())
  await stage.start('mail-sink', 'bench/mail-sink.ts', { SMTP_PORT: smtpPort })
  const booking = await stage.start('booking', 'apps/booking/bundle/main.js', {
    SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
  })
  const ingress = await stage.start('webhooks', 'apps/webhooks/bundle/main-ingress.js')
  const gateway = await stage.start('mcp-gateway', 'apps/mcp-gateway/bundle/main.js', { CRM_API_URL: api.url })
  await prepareFloor(stage, stage.workspace(middle))

  heading(
    'route',
    'ours ms',
    'floor ms',
    'cost',
    'at most',
    'ours/s',
    'floor/s',
    'ratio',
    'promised',
    'p95 ms',
    'stolen',
  )
  const workspace = stage.workspace(middle)
  await meetKeys(api, workspace)
  const rows = [
    ...crmApiRows(api, floor, stage, middle),
    ...recordRows(api, floor, workspace),
    inactiveRow(api, stage.workspace(large)),
    await priceRow(api, floor, stage, workspace),
    await bookingRow(booking, floor, stage, workspace),
    await hookRow(ingress, floor, stage, workspace),
    ...toolRows(gateway, api, workspace),
  ]
  for (const [at, row] of rows.entries()) if (at === 0 || isWanted(row.what)) await printRatio(row)

  heading('latency (median, one connection)', short(small), short(middle), short(large), 'growth', 'promised', 'stolen')
  for (const { what, on, atMost } of growthRows(api)) {
    if (!isWanted(what)) continue
    const { p50Ms, growth, stolen } = await compareSizes(
      [small, middle, large].map((size) => on(stage.workspace(size))),
      { ...pace, warmUpSeconds: 4, connections: 1, seconds: 1 },
    )
    line(what, ...p50Ms.map((ms) => ms.toFixed(2)), growth.toFixed(2), `≤ ${atMost}`, percent(stolen))
  }

  const largest = stage.workspace(large)
  const single = [searchRow(api, floor, largest), ...summaryRows(api, floor, largest)].filter(({ what }) =>
    isWanted(what),
  )
  if (single.length > 0)
    heading('latency (one connection)', 'p50 ms', 'p95 ms', 'floor p50', 'ratio', 'promised', 'stolen')
  for (const { what, ours, floor: bare, promised } of single) {
    await measure(ours, 1, 1)
    await measure(bare, 1, 1)
    const figure = await calmly(() => measure(ours, 1, longSeconds))
    const floorFigure = await calmly(() => measure(bare, 1, longSeconds))
    line(
      what,
      figure.p50Ms.toFixed(1),
      figure.p95Ms.toFixed(1),
      floorFigure.p50Ms.toFixed(1),
      (floorFigure.p50Ms / figure.p50Ms).toFixed(2),
      promised,
      percent(Math.max(figure.stolen, floorFigure.stolen)),
    )
  }

  if (isWanted('import')) {
    const importRows = values.quick ? 10_000 : 100_000
    const stolen = watchStolen()
    const { rowsPerSecond, copyRowsPerSecond } = await measureImport(api, stage, workspace, importRows)
    heading('import of leads', 'rows/s', 'COPY/s', 'ratio', 'promised', 'stolen')
    line(
      `${short(importRows)} rows`,
      rowsPerSecond.toFixed(0),
      copyRowsPerSecond.toFixed(0),
      (rowsPerSecond / copyRowsPerSecond).toFixed(2),
      '≥ 0.15',
      percent(stolen()),
    )
  }

  // The maintenance that the import leaves to PostgreSQL is done before latencies are measured, not during that.
  await stage.owner.query('VACUUM ANALYZE')
  await stage.owner.query('CHECKPOINT')
  for (const { what, load, connections, p95MsMax } of [
    createInvoiceRow(api, workspace),
    await createBookingRow(booking, stage, workspace),
  ]) {
    if (!isWanted(what)) continue
    heading('latency (p95, many connections)', 'p50 ms', 'p95 ms', 'promised', 'stolen')
    // Runs follow one another: every booking has a time of its own.
    let sent = 0
    const goingOn = { ...load, request: () => load.request(sent++) }
    await warmUp(goingOn, connections, pace.warmUpSeconds)
    const { p50Ms, p95Ms, stolen } = await calmly(() => measure(goingOn, connections, longSeconds))
    line(`${what}, ${connections} at once`, p50Ms.toFixed(1), p95Ms.toFixed(1), `≤ ${p95MsMax}`, percent(stolen))
  }

  heading('memory under load')
  for (const { name, rssMb } of stage.processes.values()) line(name, `${rssMb()} MB`)

  if (isWanted('hook and its run')) {
    const { perRun, all, p95Ms } = await costOfRuns(stage, api, ingress, workspace, values.quick ? 5 : 30)
    heading('processor time of a hook and its run', 'ms', 'at most')
    for (const [name, ms] of perRun) line(name, ms.toFixed(2))
    line('hook and its run, all processes', all.toFixed(2), `≤ ${runMsMax}`)
    line('from the call to the end of the run, p95', p95Ms.toFixed(0), '≤ 250')
    judge('hook and its run', all <= runMsMax && p95Ms <= 250)
  }
} finally {
  await stage.close()
}

if (isWanted('rest')) {
  const { shares, percent: all } = await measureRest(values.quick ? 20 : 60)
  heading('at rest, of one processor', '%', 'at most')
  for (const [name, share] of shares) line(name, share.toFixed(2))
  line('rest, all processes', all.toFixed(2), `≤ ${restPercentMax}`)
  judge('rest', all <= restPercentMax)
}

say('')
say(
  broken.length === 0
    ? `All ${kept.length} bounds of processor time hold.`
    : `${kept.length} bounds of processor time hold: ${kept.join('; ')}. These do not: ${broken.join('; ')}.`,
)

async function printRatio({
  what,
  ours,
  floor,
  connections = pace.connections,
  atLeast,
  costMax,
}: RatioRow): Promise<void> {
  const figure = await compare(ours, floor, { ...pace, connections })
  listFloorMs ??= figure.floorMs
  const cost = figure.oursMs / listFloorMs
  if (costMax !== undefined) judge(what, cost <= costMax)
  line(
    what,
    figure.oursMs.toFixed(2),
    figure.floorMs.toFixed(2),
    cost.toFixed(2),
    costMax === undefined ? '' : `≤ ${costMax}`,
    figure.ours.toFixed(0),
    figure.floor.toFixed(0),
    figure.ratio.toFixed(2),
    atLeast === null ? '' : `≥ ${atLeast}`,
    figure.p95Ms.toFixed(2),
    percent(figure.stolen),
  )
}

function judge(what: string, holds: boolean): void {
  ;(holds ? kept : broken).push(what)
}

function heading(...cells: readonly [string, ...string[]]): void {
  say('')
  line(...cells)
}

function line(what: string, ...figures: readonly string[]): void {
  say(`${what.padEnd(46)}${figures.map((figure) => figure.padStart(10)).join('')}`)
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`
}

function short(count: number): string {
  return count >= 1_000_000 ? `${count / 1_000_000}M` : `${count / 1_000}k`
}
