#!/usr/bin/env bash
# oauth4webapi 3.8.8: ClientSecretBasic also encodes the four signs that forms leave as they are.
#
# Expected: the name and the secret of a client are encoded as forms are (RFC 6749, 2.3.1 and appendix B), so that a secret such as "a-b_c.d*e"
# is sent as it is, as URLSearchParams writes it. A provider that does not decode reads it all the same.
# Seen: it is sent as "a%2Db%5Fc%2Ed%2Ae". Whoever decodes reads the secret; whoever does not refuses the client.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts oauth4webapi@3.8.8
cat >look.mjs <<'JS'
import { readFileSync } from 'node:fs'
import { ClientSecretBasic } from 'oauth4webapi'
const { version } = JSON.parse(readFileSync('node_modules/oauth4webapi/package.json', 'utf8'))
const secret = 'a-b_c.d*e'
const headers = new Headers()
await ClientSecretBasic(secret)({ issuer: 'https://provider.example' }, { client_id: 'name' }, new URLSearchParams(), headers)
const sent = atob(headers.get('authorization').replace('Basic ', ''))
const asForm = `name:${new URLSearchParams([['', secret]]).toString().slice(1)}`
console.log(`oauth4webapi ${version}, Node ${process.version}: sent ${sent}, a form writes ${asForm}`)
const isAsSeen = sent === 'name:a%2Db%5Fc%2Ed%2Ae' && asForm === `name:${secret}`
console.log(isAsSeen ? 'As seen.' : 'This has changed.')
process.exit(isAsSeen ? 0 : 1)
JS
npx --yes --package=node@26.10.0 --call 'node look.mjs'
