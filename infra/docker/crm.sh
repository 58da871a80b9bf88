#!/bin/sh
# The administration command of the image `cli`.
exec node --disable-warning=ExperimentalWarning /app/apps/cli/bundle/main.js "$@"
