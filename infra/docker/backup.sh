#!/bin/sh
# Makes a backup at BACKUP_TO, verifies it and removes old ones. `backup.sh daily` does so every day at BACKUP_AT, in UTC, until it is told to end.
set -eu

once() {
  path=$(crm backup create --to "$BACKUP_TO" --json | node -p 'JSON.parse(require("fs").readFileSync(0)).path')
  crm backup verify "$path" --json
  crm backup prune --at "$BACKUP_TO" --keep-daily "${BACKUP_KEEP_DAILY:-7}" --keep-weekly "${BACKUP_KEEP_WEEKLY:-5}" \
    --keep-monthly "${BACKUP_KEEP_MONTHLY:-12}" --json
}

# A shell that waits for a program in the foreground hears no signal.
in_background() {
  "$@" &
  wait $!
}

seconds_until() {
  hour=${1%:*} minute=${1#*:}
  echo $(((${hour#0} * 3600 + ${minute#0} * 60 - $(date +%s) % 86400 + 86400) % 86400))
}

if [ "${1:-}" != daily ]; then
  once
  exit
fi
trap 'exit 0' TERM INT
while :; do
  printf '{"level":"info","service":"backup","msg":"the next backup is made at %s UTC"}\n' "${BACKUP_AT:-02:17}"
  in_background sleep "$(seconds_until "${BACKUP_AT:-02:17}")"
  # A process of its own ends at the first step that fails.
  until in_background sh "$0"; do
    echo '{"level":"error","service":"backup","msg":"the backup failed, and is tried again in an hour"}' >&2
    in_background sleep 3600
  done
  in_background sleep 60
done
