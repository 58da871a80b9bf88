import { expect, it } from 'vitest'
import * as z from 'zod'
import { bookingContract, publicContract, settingsContract } from './contract.ts'
import { objectsWithFindings } from './found.ts'
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

it('lists what is checked: what gives, takes, acts or shows', () => {
  const things = settingsResource('things', {
    show: {
      method: 'GET',
      path: '/things',
      summary: 'List things',
      access: 'credential',
      reach: { reveals: 'delivery' },
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
    ['things.show reveals', 'delivery'],
    ['things.change gives', 'role'],
    ['things.change takes', 'user'],
  ])
})

it('is declared as shown wherever an answer holds something found, and nowhere else', () => {
  const every = declaredOperations({ ...publicContract, ...settingsContract, ...bookingContract })
  const holding = every.filter(({ operation: { reply } }) => objectsWithFindings(reply.body).length > 0)
  const showing = every.filter(({ operation: { reach = 'none' } }) => reach !== 'none' && reach.reveals !== undefined)
  const files = showing.filter(({ operation: { reply } }) => reply.mediaType !== undefined)
  expect(showing.map(({ id }) => id)).toEqual(
    every.filter((one) => holding.includes(one) || files.includes(one)).map(({ id }) => id),
  )
  // An answer is either hidden or shaped before it goes out.
  expect(showing.filter(({ operation: { shaped } }) => shaped !== undefined)).toEqual([])
  expect(files.map(({ id }) => id)).toEqual([
    'settings.imports.errors',
    'settings.migrations.problems',
    'settings.exports.file',
  ])
})
