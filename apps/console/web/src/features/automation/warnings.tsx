import { Alert } from '@mantine/core'
import type { Workflow } from './automation-queries.ts'
import { expressionName, pathIn, type Variable } from './variables.ts'
import { t } from './texts.ts'

interface WarningsProps {
  readonly warnings: Workflow['warnings']
  readonly variables: readonly Variable[]
  /** Returns the name of the part that a warning is about. */
  nameOf(path: Workflow['warnings'][number]['path']): string
}

/** Hints at parts of what is saved that may not work. */
export function Warnings({ warnings, variables, nameOf }: WarningsProps) {
  if (warnings.length === 0) return null
  const texts = warnings.map(({ path, message }) => {
    const [, unknown] = /\{\{([^{}]*)\}\}/.exec(message) ?? []
    return unknown === undefined
      ? `${nameOf(path)}: ${message}`
      : t('{step}: no data for “{data}”', { step: nameOf(path), data: expressionName(pathIn(unknown), variables) })
  })
  return (
    <Alert color="yellow" title={t('Needs attention')}>
      {[...new Set(texts)].map((text) => (
        <div key={text}>{text}</div>
      ))}
    </Alert>
  )
}
