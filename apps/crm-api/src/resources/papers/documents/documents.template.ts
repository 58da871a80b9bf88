import { ApiError } from '@crm/errors'
import { compileValue, render, TemplateError, variables, type Compiled } from '@crm/templates'

/** The variables of a template besides the fields of its record. */
const roots = ['record', 'organization', 'workspace', 'today', 'author'] as const

/** A warning about a part of a template that does not stop it from working. */
export interface TemplateWarning {
  readonly path: (string | number)[]
  readonly message: string
}

/** Parses a template, or refuses it with the error and its place. */
export function readTemplate(body: string): Compiled {
  try {
    return compileValue(body)
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    throw new ApiError('TEMPLATE_INVALID', {
      message: error.message,
      issues: [{ path: ['body'], message: error.message }],
    })
  }
}

/** Returns a warning for each unknown variable; `fields` are the fields that any kind of record has. */
export function warnOfUnknown(template: Compiled, fields: ReadonlySet<string>): TemplateWarning[] {
  return variables(template).flatMap((path) => {
    const [root = '', field] = path.split(/[.[]/)
    const isKnown =
      (roots as readonly string[]).includes(root) && (root !== 'record' || field === undefined || fields.has(field))
    return isKnown ? [] : [{ path: ['body'], message: `Nothing is known to stand for {{${path}}}` }]
  })
}

/** Fills a template; a value is never parsed as a template itself. */
export function fillTemplate(template: Compiled, data: Readonly<Record<(typeof roots)[number], unknown>>): string {
  try {
    const filled = render(template, data)
    return typeof filled === 'string' ? filled : JSON.stringify(filled)
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    throw new ApiError('TEMPLATE_INVALID', {
      message: error.message,
      issues: [{ path: ['body'], message: error.message }],
    })
  }
}
