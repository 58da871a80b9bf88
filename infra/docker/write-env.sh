#!/bin/sh
# Writes the secrets of docker-compose.yml to `.env`, each random, once: existing values are kept.
set -eu
cd "${1:-$(dirname "$0")/../..}"
umask 077
touch .env
for name in POSTGRES_PASSWORD ROLE_PASSWORD RUN_TOKEN_SECRET; do
  grep -q "^$name=." .env || printf '%s=%s\n' "$name" "$(od -An -N24 -tx1 /dev/urandom | tr -d ' \n')" >> .env
done
grep -q '^SECRETS_KEY=.' .env || printf 'SECRETS_KEY=%s\n' "$(head -c 32 /dev/urandom | base64 | tr -d '\n')" >> .env
