import { Checkbox, Group, Text } from '@mantine/core'
import type { Role } from './settings-queries.ts'
import { t } from './texts.ts'

interface RoleChoiceProps {
  readonly roles: readonly Role[]
  /** The ids of the roles that are chosen at first. */
  readonly held: readonly string[]
}

/** A box for each role of the workspace, as a part of a form. */
export function RoleChoice({ roles, held }: RoleChoiceProps) {
  return (
    <div role="group" aria-label={t('Roles')}>
      <Text size="sm" fw={500} mb="xs">
        {t('Roles')}
      </Text>
      <Group gap="md">
        {roles.map(({ id, name, description }) => (
          <Checkbox
            key={id}
            name="roleIds"
            value={id}
            size="xs"
            label={name}
            title={description ?? undefined}
            defaultChecked={held.includes(id)}
          />
        ))}
      </Group>
    </div>
  )
}

/** Returns the ids of the roles that are chosen in a form. */
export function rolesIn(form: FormData): string[] {
  return form.getAll('roleIds').filter((id) => typeof id === 'string')
}
