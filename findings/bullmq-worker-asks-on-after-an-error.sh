#!/usr/bin/env bash
# bullmq 6.7.0: a worker whose server answers with an error asks again at once, for as long as the error lasts.
#
# Expected: the worker waits before it asks again; its option runRetryDelay is documented as the delay before retrying when an error
# occurs in the run loop (15 seconds by default).
# Seen: the delay is kept only after errors of the connection. Where the server answers, with READONLY as a copy does or with OOM as a full
# one, hundreds of scripts a second follow one another from an idle worker, with a delay of a minute set.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts bullmq@6.7.0 ioredis@6.0.0
cat >look.mjs <<'JS'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { Worker } from 'bullmq'
const { version } = JSON.parse(readFileSync('node_modules/bullmq/package.json', 'utf8'))
let scripts = 0
// Speaks as much of RESP as a worker needs: every script is refused as by a copy that only lets read.
const answerTo = ([name]) => {
  if (name === 'info') return ((text) => `$${text.length}\r\n${text}\r\n`)('redis_version:7.4.0\r\nloading:0\r\n')
  if (!name.startsWith('eval')) return '+OK\r\n'
  scripts++
  return "-READONLY You can't write against a read only replica.\r\n"
}
const server = createServer((socket) => {
  let text = ''
  socket.on('error', () => undefined)
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
    for (let whole; (whole = /^\*(\d+)\r\n/.exec(text)); ) {
      const words = []
      let at = whole[0].length
      for (let n = 0; n < Number(whole[1]); n++) {
        const size = /^\$(\d+)\r\n/.exec(text.slice(at))
        if (!size || text.length < at + size[0].length + Number(size[1]) + 2) return
        at += size[0].length
        words.push(text.slice(at, at + Number(size[1])).toLowerCase())
        at += Number(size[1]) + 2
      }
      text = text.slice(at)
      socket.write(answerTo(words))
    }
  })
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const connection = { host: '127.0.0.1', port: server.address().port, maxRetriesPerRequest: null }
const worker = new Worker('idle', async () => undefined, { connection, runRetryDelay: 60_000, skipVersionCheck: true })
worker.on('error', () => undefined)
await wait(3_000)
const many = scripts > 300
console.log(`bullmq ${version}, Node ${process.version}: ${many ? 'more than 300' : scripts} refused scripts within three seconds, at a delay of a minute`)
console.log(many ? 'As seen.' : 'This has changed.')
process.exit(many ? 0 : 1)
JS
npx --yes --package=node@26.10.0 --call 'node look.mjs'
