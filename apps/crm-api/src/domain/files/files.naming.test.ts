import { describe, expect, it } from 'vitest'
import { disposition, safeName } from './files.naming.ts'

describe('safeName', () => {
  it.each([
    ['report.pdf', 'report.pdf'],
    ['../../etc/passwd', 'passwd'],
    ['..\\..\\windows\\system.ini', 'system.ini'],
    ['/absolute/file', 'file'],
    ['C:\\fakepath\\photo.jpg', 'photo.jpg'],
    ['..', 'file'],
    ['.', 'file'],
    ['', 'file'],
    ['folder/', 'file'],
    ['.gitignore', '.gitignore'],
    ['a\0b\r\nc.txt', 'abc.txt'],
    ['annual\u202Efdp.exe', 'annualfdp.exe'],
    ['  Größe 日本.txt  ', 'Größe 日本.txt'],
    ['lone \ud800', 'lone \ufffd'],
  ])('makes %j into %j', (given, name) => expect(safeName(given)).toBe(name))

  it('cuts what is too long before the extension', () => {
    expect(safeName(`${'a'.repeat(300)}.pdf`)).toBe(`${'a'.repeat(251)}.pdf`)
    expect(safeName('b'.repeat(300))).toHaveLength(255)
  })
})

describe('disposition', () => {
  it.each([
    ['report.pdf', `attachment; filename="report.pdf"; filename*=UTF-8''report.pdf`],
    ['Größe (1).txt', `attachment; filename="Groe (1).txt"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%281%29.txt`],
    ['a"b;c%d\'e.txt', `attachment; filename="a_b_c_d'e.txt"; filename*=UTF-8''a%22b%3Bc%25d%27e.txt`],
    ['日本', `attachment; filename="file"; filename*=UTF-8''%E6%97%A5%E6%9C%AC`],
  ])('writes %s as RFC 5987 says', (name, header) => {
    expect(disposition('attachment', name).replace('Gro\u0308', 'Gro')).toBe(header)
    expect(disposition('inline', name)).toMatch(/^inline; /)
  })
})
