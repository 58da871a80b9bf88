#!/usr/bin/env bash
# PostgreSQL 18 (PGlite 0.5.16): unaccent() makes capital letters of small ones.
#
# Expected: a text that casefold() has folded stays folded when unaccent() takes its accents away, so that folding twice is folding once.
# Seen: the small capitals of phonetic writing become capitals (ʀ becomes R), © becomes (C). So case is folded once more after unaccent().
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @electric-sql/pglite@0.5.16 || exit 1
cat >look.mjs <<'JS'
import { PGlite } from '@electric-sql/pglite'
import { unaccent } from '@electric-sql/pglite/contrib/unaccent'
const db = await PGlite.create({ extensions: { unaccent } })
await db.exec('CREATE EXTENSION unaccent')
const { rows } = await db.query(`SELECT current_setting('server_version') AS version,
  unaccent(casefold(letter COLLATE "pg_unicode_fast")) AS bare FROM unnest(ARRAY['\u0280', '\u00a9', '\u00e9']) AS letter`)
console.log(`PostgreSQL ${rows[0].version}`, rows.map(({ bare }) => bare).join(' '))
const isAsSeen = rows[0].bare === 'R' && rows[1].bare === '(C)' && rows[2].bare === 'e'
console.log(isAsSeen ? 'As seen.' : 'This has changed.')
process.exitCode = isAsSeen ? 0 : 1
JS
node look.mjs
