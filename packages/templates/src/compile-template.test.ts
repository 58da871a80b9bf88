import { describe, expect, it } from 'vitest'
import { compileTemplate, compileValue, TemplateError, variables } from './index.ts'

function faultOf(compile: () => unknown): TemplateError {
  try {
    compile()
  } catch (error) {
    if (error instanceof TemplateError) return error
    throw error
  }
  throw new Error('the template was accepted')
}

describe('compileTemplate', () => {
  it('accepts any JSON and variables as values and in texts', () => {
    for (const source of [
      'null',
      ' {"a": [1, -2.5e3, true, "x"]} ',
      '{{a}}',
      '[{{ a.b[0].c }},{{d}}]',
      '"{{a}} and {{b}}"',
      '"{{ a | default:\\"none\\" }}"',
      '"{{a|default:\'none\'|upper}}"',
      '{{a|default:"}}"}}',
    ]) {
      expect(() => compileTemplate(source), source).not.toThrow()
    }
  })

  it.each<[source: string, line: number, column: number]>([
    ['', 1, 1],
    ['{', 1, 2],
    ['{"a":1,}', 1, 8],
    ['{"a" 1}', 1, 6],
    ['[1 2]', 1, 4],
    ['{a:1}', 1, 2],
    ['{"a":tru}', 1, 6],
    ['{"a":01}', 1, 7],
    ['{"a":1e999}', 1, 6],
    ['{"a":"x', 1, 6],
    ['{"a":"\\x"}', 1, 6],
    ['{"a":1} {"b":2}', 1, 9],
    ['{\n  "a": {{}}\n}', 2, 10],
    ['{\n  "a": {{b c}}\n}', 2, 12],
    ['{\n  "a": "{{b"\n}', 2, 12],
    ['{"{{key}}": {{a.}}}', 1, 17],
    ['{{a.__proto__.b}}', 1, 5],
    ['{{constructor}}', 1, 3],
    ['"{{a.prototype}}"', 1, 6],
    ['{{a[-1]}}', 1, 4],
    ['{{a[x]}}', 1, 4],
    ['{{a|eval}}', 1, 5],
    ['{{a|upper:1}}', 1, 10],
    ['{{a|default}}', 1, 12],
    ['{{a|default:x}}', 1, 13],
    ['{{a + 1}}', 1, 5],
    ['"\\n\\u00e4{{a b}}"', 1, 14],
    ['{"__proto__":1}', 1, 2],
    [`{{a${'|lower'.repeat(9)}}}`, 1, 52],
  ])('refuses %j at %i:%i', (source, line, column) => {
    expect(faultOf(() => compileTemplate(source)).position).toMatchObject({ line, column })
  })

  it('refuses what is too large or too deep', () => {
    expect(faultOf(() => compileTemplate(`"${'x'.repeat(262_144)}"`))).toBeInstanceOf(TemplateError)
    expect(faultOf(() => compileTemplate('['.repeat(100_000)))).toBeInstanceOf(TemplateError)
  })
})

describe('compileValue', () => {
  it('names the place of a faulty string by its path', () => {
    const fault = faultOf(() => compileValue({ values: [{ email: 'a\n {{x' }] }))
    expect(fault.path).toEqual(['values', 0, 'email'])
    expect(fault.position).toEqual({ offset: 6, line: 2, column: 5 })
  })
})

describe('variables', () => {
  it('lists each path once, as it is written', () => {
    expect(
      variables(
        compileTemplate(
          '{"a": {{ trigger.items[0].name }}, "b": ["{{x}} {{ steps.find-lead.data.id | lower }}", {{x}}], "{{no}}": 1}',
        ),
      ),
    ).toEqual(['trigger.items[0].name', 'x', 'steps.find-lead.data.id'])
  })
})
