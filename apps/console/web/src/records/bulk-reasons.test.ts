import { expect, it } from 'vitest'
import { reasonInWords } from './bulk-reasons.ts'

it('tells the reasons of one of many records by the words of the forms', () => {
  const told = (message: string, code = 'VALIDATION_ERROR') => reasonInWords({ message, code }, false)
  expect(told('Amount is required')).toBe('Amount is required.')
  expect(told('Amount: Expected a number; Email: Invalid email')).toBe(
    'Amount: Enter a number, such as 1250.50; Email: Email must look like name@example.com.',
  )
  expect(told('There is no such deal', 'NOT_FOUND')).toBe('This no longer exists, or you do not have access.')
  expect(reasonInWords({ message: 'There is no such deal' }, true)).toBe('There is no such deal')
})
