import { NativeSelect, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { settings } from '../../base/api.ts'
import { textIn } from '../../base/form-text.ts'
import { fieldErrors } from '../../base/refusals.ts'
import { useSession } from '../../base/session.ts'
import { NameField } from '../../records/name-field.tsx'
import { useChange } from '../../shell/changes.ts'
import { FormDialog } from '../../shell/form-dialog.tsx'
import { DepartmentChoice } from './department-choice.tsx'
import { departmentsQuery, rolesQuery } from './settings-queries.ts'
import { t } from './texts.ts'

/** Asks for the name and the role of a program that gets an account of its own. */
export function ServiceAccountDialog({ onClose }: { onClose(): void }) {
  const { may } = useSession()
  const roles = useQuery({ ...rolesQuery, enabled: may('MANAGE_ROLES') }).data ?? []
  const departments = useQuery({ ...departmentsQuery, enabled: may('VIEW_DEPARTMENT') }).data ?? []
  const create = useChange(
    (form: FormData) =>
      settings.users.create({
        body: {
          kind: 'SERVICE',
          name: textIn(form, 'name').trim(),
          roleIds: textIn(form, 'roleId') === '' ? [] : [textIn(form, 'roleId')],
          departmentId: textIn(form, 'departmentId') || null,
        },
      }),
    { said: t('Service account created'), stale: ['people'], onDone: onClose },
  )
  const errors = fieldErrors(create.error)
  return (
    <FormDialog
      opened
      title={t('New service account')}
      submit={t('Create account')}
      isBusy={create.isPending}
      error={create.error}
      onSubmit={create.mutate}
      onClose={onClose}
    >
      <Text size="sm">
        {t(
          'An account for a program. It never signs in: give it API keys or a token of a directory. They go on working when the people who made them leave.',
        )}
      </Text>
      <NameField errors={errors} />
      <NativeSelect
        name="roleId"
        label={t('Role')}
        error={errors['roleIds']}
        data={[{ value: '', label: t('None') }, ...roles.map(({ id, name }) => ({ value: id, label: name }))]}
      />
      <DepartmentChoice departments={departments} error={errors['departmentId']} />
    </FormDialog>
  )
}
