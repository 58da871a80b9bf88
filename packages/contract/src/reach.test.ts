import { expect, it } from 'vitest'
import { z } from 'zod'
import { settingsContract } from './contract.ts'
import { declaredOperations, reachChecks } from './operation.ts'
import { settingsResource } from './resource.ts'

it('is declared by every operation of the settings, or the contract does not compile', () => {
  const silent = {
    method: 'GET',
    path: '/things',
    summary: 'List things',
    access: 'credential',
    reply: { status: 200, body: z.object({}) },
  } as const
  // @ts-expect-error It does not say what it does to reach.
  const things = settingsResource('things', { list: silent })
  expect(declaredOperations({ things })[0]?.operation.reach).toBeUndefined()
  // @ts-expect-error Nothing is no declaration.
  settingsResource('things', { list: { ...silent, reach: {} } })
  expect(declaredOperations(settingsContract).filter(({ operation }) => operation.reach === undefined)).toEqual([])
})

it('lists what is checked: what gives, takes or acts, and not what shows', () => {
  const things = settingsResource('things', {
    show: {
      method: 'GET',
      path: '/things',
      summary: 'List things',
      access: 'credential',
      reach: { reveals: 'role' },
      reply: { status: 200, body: z.object({}) },
    },
    change: {
      method: 'PATCH',
      path: '/things',
      summary: 'Change things',
      access: 'credential',
      reach: { takes: 'user', gives: 'role' },
      reply: { status: 200, body: z.object({}) },
    },
  })
  expect(reachChecks({ things }).map(({ id, object }) => [id, object])).toEqual([
    ['things.change gives', 'role'],
    ['things.change takes', 'user'],
  ])
})
