#!/usr/bin/env bash
# pino 10.4.0: the paths of `redact` are read anew for each line, so each of them makes every line dearer.
#
# Expected: paths are compiled once, as before its version 9.10, and a line without anything to hide costs hardly more than one of a logger
# that hides nothing.
# Seen: `@pinojs/redact` copies the line and parses each path for each line. Twenty-one paths, seven of them plain and fourteen with a star,
# make a short line several times as dear.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund pino@10.4.0
cat >lines.cjs <<'JS'
const { pino } = require('pino')
const keys = ['authorization', 'cookie', 'x-api-key', 'set-cookie', 'password', 'token', 'secret']
const paths = keys.flatMap((key) => [`["${key}"]`, `*["${key}"]`, `*.*["${key}"]`])
const line = { method: 'GET', route: '/things', status: 200, ms: 3, answered: 300 }
const costOf = (options) => {
  const logger = pino(options, { write() {} })
  const write = (lines) => {
    const before = process.cpuUsage()
    for (let n = 0; n < lines; n++) logger.info(line, 'answered')
    const { user, system } = process.cpuUsage(before)
    return user + system
  }
  write(20_000)
  return Math.min(write(50_000), write(50_000), write(50_000))
}
const ratio = costOf({ redact: { paths } }) / costOf({})
console.error(`${ratio.toFixed(1)} times as dear`)
console.log(ratio > 3 ? 'several times as dear' : 'about as dear')
JS
seen=$(node lines.cjs)
echo "pino $(node -p 'require("./node_modules/pino/package.json").version'), a line with nothing to hide, with 21 paths: $seen"
[ "$seen" = "several times as dear" ] && echo "As seen." || { echo "This has changed."; exit 1; }
