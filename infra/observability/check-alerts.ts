// `npm run alerts`: writes prometheus-rule.yaml, and lets Prometheus check the rules and try their tests. It needs promtool.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { prometheusRule } from './prometheus-rule.ts'

const folder = fileURLToPath(new URL('.', import.meta.url))
writeFileSync(`${folder}prometheus-rule.yaml`, prometheusRule(readFileSync(`${folder}alerts.yaml`, 'utf8')))

const checks = [
  ['check', 'rules', '--lint=all', '--lint-fatal', 'alerts.yaml'],
  ['test', 'rules', 'alerts.test.yaml'],
]
process.exitCode = checks.every((args) => {
  const { status, error } = spawnSync('promtool', args, { cwd: folder, stdio: 'inherit' })
  if (error)
    console.error('There is no promtool on this machine; install Prometheus, on Debian by `apt install prometheus`.')
  return status === 0
})
  ? 0
  : 1
