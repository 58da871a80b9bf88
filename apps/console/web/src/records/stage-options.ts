import type { Field, Kind } from './record-kinds.ts'

/** Returns all stages or pipelines of a kind as options. A stage has the name of its pipeline if there are several. */
function stageOptions(references: 'STAGE' | 'PIPELINE', { pipelines }: Pick<Kind, 'pipelines'>): Field['options'] {
  if (references === 'PIPELINE') return pipelines.map(({ id, name }) => ({ value: id, label: name }))
  return pipelines.flatMap(({ name: pipeline, stages }) =>
    stages.map(({ id, name }) => ({ value: id, label: pipelines.length > 1 ? `${pipeline} · ${name}` : name })),
  )
}

/** Returns a field whose stages are chosen from all pipelines; any other field is returned as it is. */
export function withStages(field: Field, kind: Pick<Kind, 'pipelines'>): Field {
  const { references } = field
  if (references !== 'STAGE' && references !== 'PIPELINE') return field
  return { ...field, type: 'SELECT', references: null, options: stageOptions(references, kind) }
}
