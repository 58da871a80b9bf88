import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonValue } from './index.ts'
import { compileTemplate, compileValue, readPath, render, renderJson, TemplateError } from './index.ts'

const rendered = (source: string, data: unknown) => render(compileTemplate(source), data)

describe('render', () => {
  const data = {
    name: 'Ada "the first"',
    age: 36,
    tags: ['a', 'b'],
    address: { city: 'Köln' },
    none: null,
    yes: true,
    list: [{ id: 7 }],
  }

  it('keeps the type of a value that stands alone, bare or as a whole string', () => {
    expect(
      rendered(
        '{"n": {{age}}, "s": "{{age}}", "t": {{tags}}, "o": "{{address}}", "b": {{yes}}, "i": {{list[0].id}}}',
        data,
      ),
    ).toEqual({
      n: 36,
      s: 36,
      t: ['a', 'b'],
      o: { city: 'Köln' },
      b: true,
      i: 7,
    })
  })
  it('writes values into a text, arrays and objects as JSON', () => {
    expect(rendered('"{{name}} is {{age}}, {{yes}}, {{tags}}, {{address}}"', data)).toBe(
      'Ada "the first" is 36, true, ["a","b"], {"city":"Köln"}',
    )
  })
  it('makes what is missing null alone and nothing in a text', () => {
    expect(rendered('[{{nothing}}, "{{none}}", "<{{nothing}}{{none.deep}}>"]', data)).toEqual([null, null, '<>'])
  })
  it('never reads data as a template, and leaves keys alone', () => {
    expect(rendered('{"{{name}}": "{{a}}"}', { a: '{{b}}', b: 'secret', name: 'x' })).toEqual({ '{{name}}': '{{b}}' })
  })
  it.each<[filter: string, value: unknown, result: JsonValue]>([
    ['string', 12, '12'],
    ['string', undefined, null],
    ['string', [1], '[1]'],
    ['string', false, 'false'],
    ['number', '12.50', 12.5],
    ['number', 'twelve', null],
    ['number', '', null],
    ['number', true, null],
    ['number', '0x10', null],
    ['number', 3, 3],
    ['json', { a: 1 }, '{"a":1}'],
    ['json', undefined, 'null'],
    ['json', 'x', '"x"'],
    ['default:"x"', undefined, 'x'],
    ['default:"x"', '', 'x'],
    ['default:5', null, 5],
    ['default:false', 0, 0],
    ["default:'it'", null, 'it'],
    ['date', '2026-03-01T23:30:00-05:00', '2026-03-02'],
    ['date', '2026-03-01', '2026-03-01'],
    ['date', 0, '1970-01-01'],
    ['date', 'soon', null],
    // RFC 3339, section 5.7: a day lies within its month.
    ['date', '2026-02-30', null],
    ['date', '2027-02-29', null],
    ['date', '2028-02-29', '2028-02-29'],
    ['date', '2026-04-31T10:00:00Z', null],
    ['date', '2026-02-29T23:30:00-05:00', null],
    ['date', '2100-02-29', null],
    ['date|default:"none"', '2026-06-31', 'none'],
    ['date', 1e300, null],
    ['lower', 'ÄB', 'äb'],
    ['upper', 'äb', 'ÄB'],
    ['upper', undefined, null],
    ['upper|default:"none"', undefined, 'none'],
    ['json|lower', { A: 1 }, '{"a":1}'],
  ])('passes through %s: %j', (filter, value, result) => {
    expect(rendered(`{{v|${filter}}}`, { v: value })).toEqual(result)
  })
  it('turns what JSON has no word for into null, and dates and big integers into text', () => {
    expect(
      rendered('[{{a}},{{b}},{{c}},{{d}},{{e}},{{f}}]', {
        a: Number.NaN,
        b: () => 1,
        c: Symbol('x'),
        d: new Date(0),
        e: 12n,
        f: new Date(Number.NaN),
      }),
    ).toEqual([null, null, null, '1970-01-01T00:00:00.000Z', '12', null])
  })
  it('asks no toJSON of the data', () => {
    expect(renderJson(compileTemplate('{{a}}'), { a: { toJSON: () => 'tricked', b: 1 } })).toBe('{"toJSON":null,"b":1}')
  })
  it('renders trees of values', () => {
    expect(render(compileValue({ title: 'Call {{n}}', count: '{{c}}', fixed: [1, null] }), { n: 'Ada', c: 2 })).toEqual(
      { title: 'Call Ada', count: 2, fixed: [1, null] },
    )
  })
})

describe('limits', () => {
  it('allow 256 KB, counted in bytes, and no byte more', () => {
    const template = compileTemplate('{{a}}')
    expect(renderJson(template, { a: 'x'.repeat(262_142) })).toHaveLength(262_144)
    expect(() => renderJson(template, { a: 'x'.repeat(262_143) })).toThrow(TemplateError)
    expect(() => renderJson(template, { a: 'ä'.repeat(131_072) })).toThrow(TemplateError)
    expect(() => renderJson(template, { a: '\u0001'.repeat(50_000) })).toThrow(TemplateError)
  })
  it('stop a small template that would become gigabytes, at once', () => {
    const data = { a: 'x'.repeat(60_000) }
    expect(() => render(compileTemplate(`[${'{{a}},'.repeat(10_000)}0]`), data)).toThrow(TemplateError)
    expect(() => render(compileTemplate(`"${'{{a}}'.repeat(10_000)}"`), data)).toThrow(TemplateError)
    expect(() => render(compileTemplate(`{{a${'|json'.repeat(8)}}}`), { a: '"'.repeat(60_000) })).toThrow(TemplateError)
  })
  it('allow 64 levels, template and data together', () => {
    const nested = (levels: number): JsonValue => (levels === 0 ? 1 : [nested(levels - 1)])
    expect(() => rendered('[{{a}}]', { a: nested(63) })).not.toThrow()
    expect(() => rendered('[{{a}}]', { a: nested(64) })).toThrow(TemplateError)
  })
  it('refuse data that contains itself', () => {
    const loop: Record<string, unknown> = {}
    loop.self = loop
    expect(() => rendered('{{a}}', { a: loop })).toThrow(TemplateError)
    expect(() => rendered('"x{{a}}"', { a: loop })).toThrow(TemplateError)
  })
})

describe('readPath', () => {
  const data = JSON.parse(
    '{"a":{"b":[{"c":1}],"__proto__":{"x":1},"constructor":{"y":1}},"first-name":"Ada","имя":"Ада"}',
  ) as unknown

  it('follows own properties', () => {
    expect(readPath(data, 'a.b[0].c')).toBe(1)
    expect(readPath(data, 'first-name')).toBe('Ada')
    expect(readPath(data, 'имя')).toBe('Ада')
  })
  it.each([
    'a.__proto__.x',
    'a.constructor.y',
    'a.constructor',
    'toString',
    'a.b.map',
    'a.b[0].c.toFixed',
    'a.b[1]',
    'a..b',
    'a.',
    '.a',
    'a b',
    '',
    'a[0',
    'first-name[0]',
  ])('finds nothing at %j', (path) => {
    expect(readPath(data, path)).toBeUndefined()
  })
  it('finds nothing in data that is no object', () => {
    for (const value of [null, undefined, 1, 'text', true]) expect(readPath(value, 'length')).toBeUndefined()
  })
})

describe('for any data', () => {
  const forms = [
    '{{v}}',
    '"{{v}}"',
    '"a {{v}} b"',
    '{"k":{{v}},"l":["{{v}}{{v.x}}",{{v[0]}}]}',
    '{{v|string}}',
    '{{v|json}}',
    '"-{{v|json}}"',
    '{{v|number}}',
    '{{v|date}}',
    '{{v|upper}}',
    '{{v|default:"d"|lower}}',
  ]

  it('the result is JSON, the same as the rendered tree', () => {
    fc.assert(
      fc.property(
        fc.anything({
          withBigInt: true,
          withDate: true,
          withNullPrototype: true,
          withSparseArray: true,
          withMap: true,
          withSet: true,
          withTypedArray: true,
        }),
        fc.constantFrom(...forms),
        (value, form) => {
          const template = compileTemplate(form)
          const json = renderJson(template, { v: value })
          expect(JSON.stringify(render(template, { v: value }))).toBe(json)
          expect(JSON.stringify(JSON.parse(json))).toBe(json)
        },
      ),
      { numRuns: 2000 },
    )
  })
  it('no text breaks out of its string', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('"', '\\', '","x":"', '{{v}}', '\u2028', '\ud800', '}}', '\\u0022'),
    )
    fc.assert(
      fc.property(text, text, (a, b) => {
        const result = JSON.parse(
          renderJson(compileTemplate('{"a":"<{{a}}|{{b}}>","b":{{b}},"c":"fixed"}'), { a, b }),
        ) as unknown
        expect(result).toEqual({ a: `<${a}|${b}>`, b, c: 'fixed' })
      }),
      { numRuns: 2000 },
    )
  })
  it('JSON values pass through unchanged', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const plain = JSON.parse(JSON.stringify(value), (key, item) =>
          key === '__proto__' ? undefined : item,
        ) as JsonValue
        expect(render(compileTemplate('{{v}}'), { v: plain })).toEqual(plain)
      }),
      { numRuns: 1000 },
    )
  })
  it('every JSON without variables is a template of itself', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.nat(4), (value, indent) => {
        const source = JSON.stringify(value, null, indent)
        if (source.includes('{{') || source.includes('"__proto__"')) return
        expect(renderJson(compileTemplate(source), {})).toBe(JSON.stringify(JSON.parse(source)))
      }),
      { numRuns: 1000 },
    )
  })
  it('any text either compiles or is refused with a position inside it', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '{{',
      '}}',
      '"',
      '\\',
      '[',
      ']',
      ':',
      ',',
      'a',
      '.',
      '|',
      'default',
      "'",
      '1',
      '-',
      'null',
      '\n',
      '\\u00',
      '__proto__',
    )
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join('')),
        (source) => {
          try {
            JSON.parse(renderJson(compileTemplate(source), { a: 'x"' }))
          } catch (error) {
            if (!(error instanceof TemplateError)) throw error
            expect(error.position!.offset).toBeLessThanOrEqual(source.length)
          }
        },
      ),
      { numRuns: 3000 },
    )
  })
})
