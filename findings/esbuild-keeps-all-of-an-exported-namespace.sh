#!/usr/bin/env bash
# esbuild 0.28.1 with zod 4.6.7: a namespace that a package exports by name is kept whole.
#
# Expected: `import { z } from 'zod'` and `import * as z from 'zod'` bring the same parts of zod into a page, because both use the same two
# functions and the package says that it has no side effects.
# Seen: the named form brings all of zod, its texts in every language included, about five times as much; rolldown brings the same either
# way. So the packages that other teams bundle import the namespace itself.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund zod@4.6.7 esbuild@0.28.1 rolldown@1.2.19
echo "import { z } from 'zod'; console.log(z.object({ a: z.string() }).parse({ a: 'x' }))" >named.mjs
echo "import * as z from 'zod'; console.log(z.object({ a: z.string() }).parse({ a: 'x' }))" >whole.mjs
size() { gzip -9c "$1" | wc -c; }
for form in named whole; do
  npx esbuild $form.mjs --bundle --minify --format=esm --log-level=error --outfile=esbuild-$form.js
  npx rolldown $form.mjs --minify --format esm --file rolldown-$form.js >/dev/null
done
echo "esbuild: $(size esbuild-named.js) bytes by name, $(size esbuild-whole.js) as a namespace"
echo "rolldown: $(size rolldown-named.js) bytes by name, $(size rolldown-whole.js) as a namespace"
if [ "$(size esbuild-named.js)" -gt $((3 * $(size esbuild-whole.js))) ] && [ "$(size rolldown-named.js)" -lt $((2 * $(size rolldown-whole.js))) ]; then
  echo 'As seen.'
else
  echo 'This has changed.'
  exit 1
fi
