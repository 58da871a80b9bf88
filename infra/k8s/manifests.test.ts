import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { routingTable } from '../edge/routes.ts'
import { heapMbOf } from '../node-flags.ts'

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')
const manifest = (name: string): string => read(`base/${name}.yaml`)

describe.each([...routingTable.services, 'edge'])('the manifests of %s', (name) => {
  it('scale and survive apart from the others, on the port that every edge asks', () => {
    const text = manifest(name)
    expect(
      [...text.matchAll(/^kind: (\w+)\nmetadata: \{ name: (\S+) \}/gm)].map(([, kind, called]) => [kind, called]),
    ).toEqual(['Deployment', 'Service', 'HorizontalPodAutoscaler', 'PodDisruptionBudget'].map((kind) => [kind, name]))
    expect(text).toContain(`containerPort: ${routingTable.containerPort} `)
    expect(text).toContain('runAsNonRoot: true')
    expect(text).toContain('readOnlyRootFilesystem: true')
    expect(text).toContain('topologySpreadConstraints')
    expect(text).toContain('preStop')
    expect(read('components/network-policy/network-policy.yaml')).toMatch(new RegExp(`[[ ]${name}[,\\] ]`))
    expect(manifest('kustomization')).toContain(`  - ${name}.yaml\n`)
  })
})

it.each([...routingTable.services, 'edge'])('%s has room beside its heap', (name) => {
  const [, size = '', unit = ''] = /limits: \{ memory: (\d+)(Mi|Gi) \}/.exec(manifest(name)) ?? []
  const limitMb = Number(size) * (unit === 'Gi' ? 1024 : 1)
  expect(heapMbOf(limitMb * 1024 * 1024)).toBeLessThanOrEqual(limitMb * 0.6)
})

it('every pod is covered by the policy that refuses all other traffic', () => {
  const policies = read('components/network-policy/network-policy.yaml')
  expect(policies).toContain(
    'podSelector: { matchLabels: { app.kubernetes.io/part-of: workspace-crm } }\n  policyTypes: [Ingress, Egress]',
  )
  const files = globSync('{base,components}/**/*.yaml', { cwd: import.meta.dirname }).map(read)
  const pods = files.flatMap((text) => [...text.matchAll(/metadata: (\{ labels: .*)/g)].map(([, labels]) => labels))
  expect(pods.length).toBe(routingTable.services.length + ['edge', 'migrate', 'backup', 'pgbouncer'].length)
  for (const labels of pods) expect(labels).toContain('app.kubernetes.io/part-of: workspace-crm')
})

it('every key of the secret is explained', () => {
  const readme = read('README.md')
  const files = globSync('{base,components}/**/*.yaml', { cwd: import.meta.dirname })
  const keys = files.flatMap((file) =>
    [...read(file).matchAll(/name: workspace-crm, key: ([\w-]+)/g)].map(([, key]) => key),
  )
  // What the base names has to be in every secret; what an installation may do without is a component.
  expect(files.filter((file) => file.startsWith('base/') && read(file).includes('optional: true'))).toEqual([])
  expect(keys.length).toBeGreaterThan(5)
  for (const key of keys) expect(readme).toContain(`\`${key}\``)
})
