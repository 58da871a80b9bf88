#!/usr/bin/env bash
# React 19.3.1: a `lazy` part whose code arrives at once is shown some 300 milliseconds after the fallback of its `Suspense`.
#
# Expected: the part stands there as soon as its code does, here within a few milliseconds; a part whose code is there needs no fallback.
# Seen: `lazy` shows the fallback even when its promise is resolved already, and what follows a fallback is held back until the fallback has
# stood for 300 milliseconds. The same component, given to React directly, is there at once.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund react@19.3.1 react-dom@19.3.1 jsdom@27.0.0
cat >lazy.mjs <<'JS'
import { JSDOM } from 'jsdom'
const { window } = new JSDOM('<div id="one"></div><div id="two"></div>', { pretendToBeVisual: true })
Object.assign(globalThis, { window, document: window.document })
const { createElement, lazy, Suspense } = await import('react')
const { createRoot } = await import('react-dom/client')
const Part = () => createElement('b', null, 'here')
const loading = Promise.resolve({ default: Part })
await loading
const msUntilShown = async (id, component) => {
  const place = document.getElementById(id)
  const began = performance.now()
  createRoot(place).render(createElement(Suspense, { fallback: 'waiting' }, createElement(component)))
  while (place.querySelector('b') === null) await new Promise((done) => setTimeout(done, 5))
  return performance.now() - began
}
const direct = await msUntilShown('one', Part)
const waiting = await msUntilShown('two', lazy(async () => loading))
console.log(`${direct < 200 ? 'at once' : 'late'}; ${waiting > 250 ? 'held back' : 'at once'}`)
console.error(`${Math.round(direct)} and ${Math.round(waiting)} ms`)
process.exit()
JS
seen=$(NODE_ENV=production node lazy.mjs)
echo "React $(node -p 'require("./node_modules/react/package.json").version'), directly and by lazy: $seen"
[ "$seen" = "at once; held back" ] && echo "As seen." || { echo "This has changed."; exit 1; }
