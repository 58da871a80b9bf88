import { expect, it } from 'vitest'
import { differingFields } from './merge-plan.ts'
import type { Field } from './record-kinds.ts'

it('asks about the fields in which two records differ, and not about empty ones', () => {
  const fields = ['name', 'domain', 'phone', 'createdAt'].map((key) => ({ key }) as Field)
  const one = { id: '1', version: 1, name: 'Mill', domain: 'mill.example', phone: null, createdAt: '2026-01-01' }
  const other = { id: '2', version: 1, name: 'Mills', domain: 'mill.example', phone: '+49', createdAt: '2026-01-02' }
  const asked = (key: string) => differingFields({ key, fields }, [one, other]).map((field) => field.key)
  expect(asked('COMPANY')).toEqual(['name'])
  expect(asked('DEAL')).toEqual([])
})
