import { ApiError } from '@crm/errors'
import { compileValue, render, TemplateError, variables, type Compiled } from '@crm/templates'

/** What a template knows besides the fields of its record. */
const roots = ['record', 'organization', 'workspace', 'today', 'author'] as const

/** A remark about something that does not keep a template from working. */
export interface TemplateWarning {
  readonly path: (string | number)[]
  readonly message: string
}

/** Reads a template, or refuses it with what is wrong and where. */
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

/** The variables that nothing is known to stand for; `fields` are those that any kind of record has. */
export function warnOfUnknown(template: Compiled, fields: ReadonlySet<string>): TemplateWarning[] {
  return variables(template).flatMap((path) => {
    const [root = '', field] = path.split(/[.[]/)
    const isKnown =
      (roots as readonly string[]).includes(root) && (root !== 'record' || field === undefined || fields.has(field))
    return isKnown ? [] : [{ path: ['body'], message: `Nothing is known to stand for {{${path}}}` }]
  })
}

/** Fills a template; a value is never read as a template itself. */
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
