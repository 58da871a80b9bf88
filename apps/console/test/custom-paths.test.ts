import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { customPaths, takenPaths } from '../web/src/records/custom-paths.ts'

const custom = (key: string, plural: string) => ({ key, plural, isCustom: true })

it('gives a custom entity the address of its plural, unless that is the address of another page', () => {
  const paths = customPaths([
    { key: 'LEAD', plural: 'leads', isCustom: false },
    custom('VEHICLE', 'Vehicles'),
    custom('VAN', 'vehicles'),
    custom('TEST_DRIVE', ' Test drives (2026) '),
    custom('CAR', 'Автомобили'),
    custom('PANEL', 'Dashboards'),
    custom('NOTHING', '!!!'),
  ])
  expect(Object.fromEntries(paths)).toEqual({
    VEHICLE: 'vehicles',
    TEST_DRIVE: 'test-drives-2026',
    CAR: 'автомобили',
  })
})

it('knows the first part of every address that is taken', () => {
  const folder = new URL('../web/src/', import.meta.url)
  const declared = globSync('{features/*,frame}/routes.{ts,tsx}', { cwd: folder })
    .flatMap((file) => [...readFileSync(new URL(file, folder), 'utf8').matchAll(/'\/([a-z-]+)[/']/g)])
    .map(([, first]) => first)
  const { routes } = JSON.parse(readFileSync(new URL('../../../infra/routes.json', import.meta.url), 'utf8')) as {
    routes: { path: string }[]
  }
  const served = routes.map(({ path }) => path.split('/')[1]).filter((first) => /^[a-z]/.test(first ?? ''))
  expect(declared.length).toBeGreaterThan(25)
  expect([...declared, ...served].filter((first) => first !== undefined && !takenPaths.has(first))).toEqual([])
})
