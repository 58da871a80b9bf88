import { z } from 'zod'
import { pageHead, table } from './table.ts'

/** The exports of an app's config.ts. */
export interface ConfigOfApp {
  readonly app: string
  readonly exported: Readonly<Record<string, unknown>>
}

/** Returns the page of every app's environment variables. */
export function configPage(configs: readonly ConfigOfApp[]): string {
  const sections = configs.flatMap(({ app, exported }) =>
    Object.entries(exported)
      // Loaders list the exports of a module in different orders.
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([name, value]) => (value instanceof z.ZodObject ? [[name, value] as const] : []))
      .map(
        ([name, schema], _, { length }) =>
          `## ${app}${length > 1 ? `: ${name}` : ''}\n\n${table(['variable', 'default', 'meaning'], rowsOf(schema))}\n`,
      ),
  )
  return `${pageHead('Configuration', 'Each program reads its environment once, at its start, and refuses to start with one line per problem. An empty variable counts as\nabsent.')}\n${sections.join('\n')}`
}

function rowsOf({ shape }: z.ZodObject): readonly (readonly string[])[] {
  return Object.entries(shape).map(([name, field]) => [
    `\`${name}\``,
    fallbackOf(field as z.ZodType),
    (field as z.ZodType).description ?? '',
  ])
}

function fallbackOf(field: z.ZodType): string {
  const result = field.safeParse(undefined)
  if (!result.success) return 'required'
  const text = [result.data as string | number | readonly string[] | undefined].flat().join(',')
  return text === '' ? '–' : `\`${text}\``
}
