#!/usr/bin/env bash
# ioredis 6.0.0: a connection to a database that the server does not have becomes ready, and works in database 0.
#
# Expected: connect() fails, or commands do, where the server refuses the database of the URL (redis://host/7 on a server of four).
# Seen: connect() succeeds, the status is "ready", and commands are carried out in database 0, beside the data of whoever has it. Only an
# event "error" tells of the refusal, as it also tells of every lost connection.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts ioredis@6.0.0
cat >look.mjs <<'JS'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { Redis } from 'ioredis'
const { version } = JSON.parse(readFileSync('node_modules/ioredis/package.json', 'utf8'))
const asked = []
// Speaks as much of RESP as a client needs, and has four databases.
const answerTo = ([name, value]) => {
  asked.push(`${name} ${value ?? ''}`.trim())
  if (name === 'info') return ((text) => `$${text.length}\r\n${text}\r\n`)('redis_version:7.4.0\r\nloading:0\r\n')
  return name === 'select' && Number(value) > 3 ? '-ERR DB index is out of range\r\n' : '+OK\r\n'
}
const server = createServer((socket) => {
  socket.on('error', () => undefined)
  socket.on('data', (chunk) => {
    for (const [, rest] of chunk.toString().matchAll(/\*\d+\r\n((?:\$\d+\r\n[^\r]*\r\n)+)/g))
      socket.write(answerTo([...rest.matchAll(/\$\d+\r\n([^\r]*)\r\n/g)].map(([, word]) => word.toLowerCase())))
  })
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const client = new Redis(`redis://127.0.0.1:${server.address().port}/7`, { lazyConnect: true })
const errors = []
client.on('error', ({ message }) => errors.push(message))
const connected = await client.connect().then(() => 'connected', () => 'refused')
const written = await client.set('key', 'value').catch((error) => error.message)
const seen = { connected, status: client.status, written, errors, setAfterSelect: asked.indexOf('set key') > asked.indexOf('select 7') }
console.log(`ioredis ${version}, Node ${process.version}: ${JSON.stringify(seen)}`)
const isAsSeen = connected === 'connected' && seen.status === 'ready' && written === 'OK' && errors.length === 1 && seen.setAfterSelect
console.log(isAsSeen ? 'As seen.' : 'This has changed.')
process.exit(isAsSeen ? 0 : 1)
JS
npx --yes --package=node@26.10.0 --call 'node look.mjs'
