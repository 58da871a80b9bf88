#!/usr/bin/env bash
# undici 8.12.4: a request fails when the receiver says "100 Continue" without being asked.
#
# Expected: interim answers are parsed and passed over, asked for or not (RFC 9110, section 15.2: a client MUST be able to parse one or
# more of them before the final answer, and may ignore those it did not expect), as Node's own client does.
# Seen: 102 and 103 are passed over. After an unasked 100 the request fails with UND_ERR_SOCKET and "bad response", although the whole
# final answer follows and the receiver has done its work.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts undici@8.12.4
cat >look.mjs <<'JS'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { get } from 'node:http'
import { request } from 'undici'
const { version } = JSON.parse(readFileSync('node_modules/undici/package.json', 'utf8'))
const server = createServer((asked, answer) => {
  if (asked.url === '/100') answer.writeContinue()
  else if (asked.url === '/102') answer.writeProcessing()
  else answer.writeEarlyHints({ link: '</style.css>; rel=preload; as=style' })
  answer.end('done')
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const base = `http://127.0.0.1:${server.address().port}`
const byUndici = (path) => request(base + path).then(({ statusCode, body }) => (body.dump(), String(statusCode)), (error) => error.code)
const byNode = (path) => new Promise((resolve) => get(base + path, (answer) => (answer.resume(), resolve(String(answer.statusCode)))))
const seen = {}
for (const path of ['/100', '/102', '/103']) seen[path] = [await byUndici(path), await byNode(path)]
server.close()
server.closeAllConnections()
console.log(`undici ${version}, Node ${process.version}: ${JSON.stringify(seen)}`)
const isAsSeen = JSON.stringify(seen) === '{"/100":["UND_ERR_SOCKET","200"],"/102":["200","200"],"/103":["200","200"]}'
console.log(isAsSeen ? 'As seen.' : 'This has changed.')
process.exit(isAsSeen ? 0 : 1)
JS
npx --yes --package=node@26.10.0 --call 'node look.mjs'
