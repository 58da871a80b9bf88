#!/usr/bin/env bash
# PostgreSQL 18.6 (PGlite 0.5.16): casefold() with full Unicode rules is no lower case.
#
# Expected: casefold() returns small letters, so that texts that it folds can be compared with texts that lower() or JavaScript's
# toLowerCase() made, and folding first and taking the marks away afterwards is the same as the other way round.
# Seen: small Cherokee letters become capital ones, as Unicode's CaseFolding.txt has it, and the Greek mark U+0345 becomes the
# letter iota, which no longer goes with the marks. So marks go before folding, and lower() follows it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @electric-sql/pglite@0.5.16
cat >look.mjs <<'JS'
import { PGlite } from '@electric-sql/pglite'
const db = await PGlite.create()
const ask = async (text) => (await db.query(`SELECT current_setting('server_version') AS version,
  casefold($1 COLLATE "pg_unicode_fast") AS folded, lower(casefold($1 COLLATE "pg_unicode_fast")) AS lowered`, [text])).rows[0]
const small = '\u{ab70}'
const withIota = '\u{3b1}\u{345}'
const [cherokee, greek] = [await ask(small), await ask(withIota)]
console.log(`PostgreSQL ${cherokee.version}`)
console.log(`casefold('${small}') = '${cherokee.folded}', lower(casefold('${small}')) = '${cherokee.lowered}'`)
console.log(`casefold of alpha with the mark U+0345 = '${greek.folded}', ${[...greek.folded].length} letters`)
const isAsSeen = cherokee.folded === '\u{13a0}' && cherokee.lowered === small && greek.folded === '\u{3b1}\u{3b9}'
console.log(isAsSeen ? 'As seen.' : 'This has changed.')
process.exitCode = isAsSeen ? 0 : 1
JS
node look.mjs
