import { freePort } from '../local/ports.ts'
import { ada, roomyDisk } from './machine.ts'
import type { Machine } from './machine.ts'
import type { NodeVersion, Stage } from './stage.ts'
import { slowDownTenfold } from './throttle.ts'
import { expectRefusal, startUntilReady, stop, visit } from './visit.ts'
import type { Place } from './visit.ts'

/** A machine on which somebody starts the project. */
export interface Scenario {
  readonly name: string
  /** Runs the scenario; fails with the fault, returns a report. */
  run(machine: Machine, stage: Stage): Promise<string>
}

const build = /turbo|packages\/bundle\/src\/main|vite/
const postgres = /postgres|initdb/

/** A path with characters that many programs cannot handle. */
const awkwardPath = `${ada.home}/Grüße aus Köln/workspace crm`

/** Returns the clone with its packages installed, for root. */
const asRoot = (machine: Machine, stage: Stage, env: Place['env'] = {}): Place => ({
  machine,
  cwd: stage.installed,
  env,
})
/** Returns the same for the ordinary user. */
const asAda = (machine: Machine, stage: Stage, env: Place['env'] = {}): Place => ({
  machine,
  cwd: stage.installed,
  asUser: true,
  env,
})

const withoutRedis = 'apt-get purge -y -qq redis-server redis-tools >/dev/null 2>&1; ! command -v redis-server'
const withRedis =
  'command -v redis-server || { apt-get update -qq; DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends redis-server; } >/dev/null 2>&1'
const startRedisServer = (port: number, password = ''): string =>
  `redis-server --port ${port} --daemonize yes --save '' ${password === '' ? '' : `--requirepass ${password}`} >/dev/null`

/** Every scenario, the slow ones first so that the others run beside them. */
export const scenarios: readonly Scenario[] = [
  {
    name: 'the build and PostgreSQL slowed down ten times',
    run: (machine, stage) => slowedDown(machine, stage, [build, postgres]),
  },
  { name: 'the build slowed down ten times', run: (machine, stage) => slowedDown(machine, stage, [build]) },
  { name: 'PostgreSQL slowed down ten times', run: (machine, stage) => slowedDown(machine, stage, [postgres]) },
  {
    name: 'a fresh clone, as root, with Redis and an empty npm cache',
    run: async (machine, stage) => {
      await machine.must(`${withRedis}; git clone -q file://${stage.repository} /root/workspace-crm`)
      return visit({ machine, cwd: '/root/workspace-crm' })
    },
  },
  {
    name: 'a fresh clone, as an ordinary user, without Redis',
    run: async (machine, stage) => {
      await machine.must(withoutRedis)
      await machine.must(`git clone -q file://${stage.repository} ${ada.home}/workspace-crm`, { asUser: true })
      const place = { machine, cwd: `${ada.home}/workspace-crm`, asUser: true }
      const started = await startUntilReady(place)
      if (!/No Redis found\. Set REDIS_URL .* Going on without/.test(started.output()))
        throw new Error(`It did not say what is missing:\n${started.output()}`)
      await stop(place, started)
      return visit(place)
    },
  },
  {
    name: 'a read-only npm cache and a home that cannot be written',
    run: async (machine, stage) => {
      await machine.must(
        `${withRedis}; mkdir /srv/ada; chown ${ada.name} /srv/ada; chmod 0555 ${ada.home}; chown root ${ada.home}`,
      )
      await machine.must(`git clone -q file://${stage.repository} /srv/ada/workspace-crm`, { asUser: true })
      return visit({ machine, cwd: '/srv/ada/workspace-crm', asUser: true, env: { npm_config_cache: stage.npmCache } })
    },
  },
  {
    name: 'Ctrl-C at five moments of the first start, then a start that works',
    run: async (machine, stage) => {
      await machine.must(`${withRedis}; git clone -q file://${stage.repository} /root/workspace-crm`)
      const place = { machine, cwd: '/root/workspace-crm', env: { npm_config_cache: '/root/cache' } }
      const seen: string[] = []
      for (const [moment, command] of interruptions) {
        const running = machine.start('exec npm start', place)
        await machine.must(`for _ in $(seq 3000); do ${command} && exit 0; sleep 0.05; done; exit 1`, place)
        running.signal('SIGINT')
        const { output } = await running.done
        if (/\n\s+at .*:\d+:\d+/.test(output) || output.includes('Ready at'))
          throw new Error(`Interrupted while ${moment}:\n${output}`)
        seen.push(moment)
      }
      return `${seen.join(', ')}: ${await visit(place)}`
    },
  },
  {
    name: 'as root, without Redis: installs it',
    run: async (machine, stage) => {
      await machine.must(withoutRedis)
      const place = asRoot(machine, stage)
      const seen = await visit(place)
      await machine.must('command -v redis-server')
      return seen
    },
  },
  {
    name: 'Valkey instead of Redis',
    run: async (machine, stage) => {
      const backports =
        "sed 's/^Suites: .*/Suites: bookworm-backports/' /etc/apt/sources.list.d/debian.sources > /etc/apt/sources.list.d/backports.sources"
      await machine.must(
        `${withoutRedis}; ${backports}; { apt-get update -qq; apt-get install -y -qq -t bookworm-backports valkey-server; } >/dev/null 2>&1; command -v valkey-server`,
      )
      return visit(asAda(machine, stage))
    },
  },
  {
    name: 'REDIS_URL of a server without password',
    run: async (machine, stage) => {
      const port = await freePort()
      await machine.must(`${withRedis}; ${startRedisServer(port)}`)
      return visit(asAda(machine, stage, { REDIS_URL: `redis://127.0.0.1:${port}` }))
    },
  },
  {
    name: 'REDIS_URL of a server with password, with a wrong one, of no server',
    run: async (machine, stage) => {
      const port = await freePort()
      await machine.must(`${withRedis}; ${startRedisServer(port, 'secret')}`)
      const refused = [
        await expectRefusal(
          asAda(machine, stage, { REDIS_URL: `redis://:wrong@127.0.0.1:${port}` }),
          /REDIS_URL: the server cannot be used: WRONGPASS/,
        ),
        await expectRefusal(
          asAda(machine, stage, { REDIS_URL: `redis://127.0.0.1:${port}` }),
          /REDIS_URL: the server cannot be used: NOAUTH/,
        ),
        await expectRefusal(
          asAda(machine, stage, { REDIS_URL: 'redis://127.0.0.1:1' }),
          /REDIS_URL: the server cannot be used: connect ECONNREFUSED/,
        ),
      ]
      return [await visit(asAda(machine, stage, { REDIS_URL: `redis://:secret@127.0.0.1:${port}` })), ...refused].join(
        '; ',
      )
    },
  },
  {
    name: 'a path with blanks and umlauts',
    run: async (machine, stage) => {
      await machine.must(`${withRedis}; mkdir -p '${awkwardPath}'; mount --bind ${stage.installed} '${awkwardPath}'`)
      return visit({ machine, cwd: awkwardPath, asUser: true })
    },
  },
  ...([22, 24, 26] as const).map((version): Scenario => ({
    name: `Node ${version} on the machine`,
    run: (machine, stage) => onNode(machine, stage, version),
  })),
  {
    name: 'Node 18 on the machine: one clear line',
    run: async (machine, stage) =>
      expectRefusal(
        await cloneOnNode(machine, stage, 18),
        /^npm start: This is Node\.js 18\.\S+; install version 20 or newer and try again\.$/,
      ),
  },
  {
    name: 'the disk full in the middle, then room again',
    run: async (machine, stage) => {
      await machine.must(withRedis)
      await machine.resizeDisk('48m')
      const refused = await expectRefusal(asRoot(machine, stage), /failed: the disk is full; free some space/)
      await machine.resizeDisk(roomyDisk)
      return `${refused}; ${await visit(asRoot(machine, stage))}`
    },
  },
  {
    name: 'the port taken',
    run: async (machine, stage) => {
      const listener = `node -e 'const server = require("net").createServer().listen(0, () => console.log(server.address().port))'`
      const port = await machine.must(
        `${listener} > /tmp/port 2>&1 & until test -s /tmp/port; do sleep 0.1; done; cat /tmp/port`,
      )
      return expectRefusal(
        asAda(machine, stage, { PORT: port.trim() }),
        /is taken by another program; set PORT to a free one/,
      )
    },
  },
  {
    name: 'two starts at once on one folder',
    run: async (machine, stage) => {
      await machine.must(withRedis)
      const place = asAda(machine, stage)
      const both = [machine.start('exec npm start', place), machine.start('exec npm start', place)]
      const refused = await Promise.race(both.map(async (one) => ({ one, outcome: await one.done })))
      if (refused.outcome.code !== 1 || !/already running on/.test(refused.outcome.output))
        throw new Error(`The second one said:\n${refused.outcome.output}`)
      const other = both.find((one) => one !== refused.one)
      await other?.waitFor('Press Ctrl-C to stop.')
      if (other !== undefined) await stop(place, other)
      return visit(place)
    },
  },
  {
    name: 'two starts at once on two folders',
    run: async (machine, stage) => {
      await machine.must(withRedis)
      const places = [
        asAda(machine, stage, { DATA_DIR: '.data-one' }),
        asAda(machine, stage, { DATA_DIR: '.data-two', PORT: String(await freePort()) }),
      ]
      const started = await Promise.all(places.map((place) => startUntilReady(place)))
      for (const one of started) one.signal('SIGINT')
      const ended = await Promise.all(started.map(({ done }) => done))
      if (ended.some(({ code }) => code !== 0)) throw new Error(ended.map(({ output }) => output).join('\n'))
      return 'both ready, both stopped'
    },
  },
  {
    name: 'the clock ahead by a day, and back for the second start',
    run: async (machine, stage) => {
      const port = await freePort()
      await machine.must(
        `${withRedis}; { apt-get update -qq; apt-get install -y -qq faketime; } >/dev/null 2>&1; ls /usr/lib/*/faketime`,
      )
      // Redis hangs under the library that gives programs another time, so it keeps the real one.
      await machine.must(startRedisServer(port))
      const place = asAda(machine, stage, { REDIS_URL: `redis://127.0.0.1:${port}` })
      return visit(
        {
          ...place,
          npm: 'env LD_PRELOAD=$(echo /usr/lib/*/faketime/libfaketime.so.1) FAKETIME=+1d FAKETIME_DONT_FAKE_MONOTONIC=1 npm',
        },
        place,
      )
    },
  },
  {
    name: 'no network on the second start',
    run: async (machine, stage) => {
      await machine.must(withRedis)
      const place = asRoot(machine, stage)
      await stop(place, await startUntilReady(place))
      const script = `ip link set lo up
        touch /tmp/output
        npm start > /tmp/output 2>&1 & pid=$!
        until grep -q 'Press Ctrl-C' /tmp/output; do kill -0 $pid; sleep 0.1; done
        curl -fsS "http://localhost:\${PORT:-8080}/healthz"
        kill -INT $pid; wait $pid; cat /tmp/output`
      return (
        (await machine.must(`unshare --net bash -ec '${script.replaceAll("'", `'"'"'`)}'`, place)).split('\n')[0] ?? ''
      )
    },
  },
  {
    name: 'data of the version before the newest migration',
    run: async (machine, stage) => {
      await machine.must(withRedis)
      const before: Place = { machine, cwd: stage.earlier, asUser: true, env: { DATA_DIR: `${stage.installed}/.data` } }
      await machine.must('npm run -s build', before)
      await stop(before, await startUntilReady(before))
      return visit(asAda(machine, stage))
    },
  },
  {
    name: 'own data without the demo',
    run: async (machine, stage) => {
      await machine.must(withRedis)
      const place = asAda(machine, stage)
      const started = await startUntilReady(place, '-- --no-demo')
      const told = /^ {2}(npm run -s crm -- workspace create .*)$/m.exec(started.output())?.[1]
      if (told === undefined) throw new Error(`It did not say how to begin:\n${started.output()}`)
      await machine.must(told, place)
      const signedIn = await machine.must(
        `curl -fsS "http://localhost:\${PORT:-8080}/api/auth/login" -H 'Content-Type: application/json' -H "Origin: http://localhost:\${PORT:-8080}" -d '{"email":"you@acme.example","password":"at least ten characters"}'`,
        place,
      )
      await stop(place, started)
      return signedIn.slice(0, 60)
    },
  },
]

/** Moments of a first start, each with a command that succeeds after it. */
const interruptions = [
  ['packages are installed', 'ls node_modules/* >/dev/null 2>&1'],
  ['the data folder is prepared', 'test -d .data/logs'],
  ['PostgreSQL is made', 'test -d .data/postgres.new -o -d .data/postgres'],
  ['the demo is made', 'test -e .data/run.json'],
  ['the services start', 'test -e .data/logs/console.log'],
] as const

async function slowedDown(machine: Machine, stage: Stage, patterns: readonly RegExp[]): Promise<string> {
  await machine.must(withRedis)
  const place = asAda(machine, stage)
  const release = patterns.map((pattern) => slowDownTenfold(machine, pattern))
  const started = await startUntilReady(place).finally(() => {
    for (const end of release) end()
  })
  await stop(place, started)
  return visit(place)
}

async function onNode(machine: Machine, stage: Stage, version: NodeVersion): Promise<string> {
  await machine.must(withRedis)
  const place = await cloneOnNode(machine, stage, version)
  return `${(await machine.must('node --version', place)).trim()}: ${await visit(place)}`
}

/** Makes a clone without packages on a machine with another Node: after the installation the project runs on its own. */
async function cloneOnNode(machine: Machine, stage: Stage, version: NodeVersion): Promise<Place> {
  await machine.must(`git clone -q file://${stage.repository} /root/workspace-crm`)
  return {
    machine,
    cwd: '/root/workspace-crm',
    npm: stage.npm(version),
    env: { PATH: `${stage.nodeDir(version)}:/usr/local/bin:/usr/bin:/bin`, npm_config_cache: stage.npmCache },
  }
}
