import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { prometheusRule } from './prometheus-rule.ts'

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8')

it('every alert has a test that makes it fire, and one in which it is silent', () => {
  const alerts = [...read('alerts.yaml').matchAll(/- alert: (\w+)/g)].map(([, name]) => name)
  const tried = [...read('alerts.test.yaml').matchAll(/alertname: (\w+)\n +exp_alerts:( \[\])?/g)]
  const names = (isSilent: boolean) =>
    new Set(tried.filter(([, , silent]) => (silent !== undefined) === isSilent).map(([, name]) => name))
  expect(alerts.length).toBeGreaterThan(10)
  expect(alerts.filter((name) => !names(false).has(name))).toEqual([])
  expect(alerts.filter((name) => !names(true).has(name))).toEqual([])
})

it('the resource of the Prometheus operator holds the rules as they are', () => {
  expect(read('prometheus-rule.yaml')).toBe(prometheusRule(read('alerts.yaml')))
})
