import { NativeSelect } from '@mantine/core'
import { branchOf, flattenTree } from '../../base/tree.ts'
import type { Department } from './settings-queries.ts'
import { t } from './texts.ts'

interface DepartmentChoiceProps {
  readonly departments: readonly Department[]
  /** The id of the department that is chosen at first. */
  readonly current?: string | null
  readonly error?: string | undefined
}

/** The field "Department" of a form. */
export function DepartmentChoice({ departments, current, error }: DepartmentChoiceProps) {
  return (
    <NativeSelect
      name="departmentId"
      label={t('Department')}
      defaultValue={current ?? ''}
      error={error}
      data={[{ value: '', label: t('None') }, ...departmentChoices(departments, null)]}
    />
  )
}

/** Returns the departments to choose from, indented by depth, without the edited one and the ones below it. */
export function departmentChoices(
  all: readonly Department[],
  edited: Department | null,
): { value: string; label: string }[] {
  const left = edited === null ? new Set<string>() : branchOf(all, edited.id)
  return flattenTree(all)
    .filter(({ node }) => !left.has(node.id))
    .map(({ node, depth }) => ({ value: node.id, label: `${'\u2003'.repeat(depth)}${node.name}` }))
}
