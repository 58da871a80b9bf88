import { Button, Checkbox, Group, NativeSelect, PasswordInput, SimpleGrid, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { settings } from '../../base/api.ts'
import { textIn } from '../../base/form-text.ts'
import { useDirectory } from '../../base/people.ts'
import { fieldErrors, isRefusedWith } from '../../base/refusals.ts'
import { useSession } from '../../base/session.ts'
import { EraseDialog } from '../../records/erase-dialog.tsx'
import { useChange } from '../../shell/changes.ts'
import { FormDialog } from '../../shell/form-dialog.tsx'
import { HandOverButtons, HandOverDialog } from './hand-over-dialog.tsx'
import { PersonSignIn } from './person-sign-in.tsx'
import { DepartmentChoice } from './department-choice.tsx'
import { RoleChoice, rolesIn } from './role-choice.tsx'
import { departmentsQuery, rolesQuery, type Person, type PersonPatch, type Role } from './settings-queries.ts'
import { timeZones } from '../../base/time-zones.ts'
import { t } from './texts.ts'

type NewPerson = NonNullable<Parameters<typeof settings.users.create>[0]>['body']

const statuses = [
  { value: 'ACTIVE', label: t('Active') },
  { value: 'SUSPENDED', label: t('Suspended') },
  { value: 'TERMINATED', label: t('Terminated') },
] as const
const statusOf = (value: string): Person['status'] =>
  statuses.find((status) => status.value === value)?.value ?? 'ACTIVE'

interface PersonDialogProps {
  readonly person: Person | 'new' | null
  /** Whether the workspace lets administrators type passwords for others. */
  readonly mayTypePasswords: boolean
  onClose(): void
}

/** Asks for the facts about a person and their rights. */
export function PersonDialog({ person, mayTypePasswords, onClose }: PersonDialogProps) {
  const { may, person: me } = useSession()
  const current = person === 'new' ? null : person
  const roles = useQuery({ ...rolesQuery, enabled: may('MANAGE_ROLES') }).data
  const save = useChange(
    (form: FormData) =>
      current
        ? settings.users.update({ params: { id: current.id }, body: patchOf(form, current, roles) })
        : settings.users.create({ body: personOf(form, roles) }),
    { said: t('Saved'), stale: ['people', 'roles', 'session'], onDone: onClose },
  )
  const client = useQueryClient()
  const [isErasing, setErasing] = useState(false)
  const [leaving, setLeaving] = useState<PersonPatch | null>(null)
  if (current && leaving)
    return (
      <HandOverDialog
        person={current}
        {...(Object.keys(leaving).length > 0 ? { patch: leaving } : {})}
        onClose={onClose}
      />
    )
  if (current && isErasing)
    return (
      <EraseDialog
        subject={{ type: 'EMPLOYEE', id: current.id }}
        onClose={onClose}
        onErased={() => void client.invalidateQueries({ queryKey: ['people'] })}
      />
    )
  const errors = fieldErrors(save.error)
  const emailError = isRefusedWith(save.error, 'NAME_TAKEN') ? t('This email is already in use.') : errors['email']
  return (
    <FormDialog
      opened={person !== null}
      title={current ? t('Edit {name}', { name: current.name }) : t('New account')}
      submit={current ? t('Save') : t('Create account')}
      size="lg"
      isBusy={save.isPending}
      error={emailError === undefined ? save.error : null}
      onSubmit={(form) => {
        const patch = current && patchOf(form, current, roles)
        // Whoever leaves has records, meetings and automation that somebody should take over.
        if (patch?.status !== undefined && patch.status !== 'ACTIVE') setLeaving(patch)
        else save.mutate(form)
      }}
      onClose={onClose}
    >
      <PersonFields current={current} mayTypePasswords={mayTypePasswords} errors={errors} emailError={emailError} />
      {current && mayTypePasswords && (
        <Checkbox
          name="endConnections"
          value="yes"
          size="xs"
          defaultChecked
          mb="md"
          label={t('A new password also ends the API keys and connected clients of this person')}
        />
      )}
      {current?.kind === 'PERSON' && current.status === 'ACTIVE' && (
        <PersonSignIn id={current.id} isSelf={current.id === me.id} />
      )}
      {current && current.status !== 'ACTIVE' && (
        <Group>
          <HandOverButtons person={current} onHandOver={() => setLeaving({})} />
          {current.kind === 'PERSON' && current.status === 'TERMINATED' && (
            <Button variant="default" size="xs" c="var(--mantine-color-error)" onClick={() => setErasing(true)}>
              {t('Erase personal data')}
            </Button>
          )}
        </Group>
      )}
      {roles !== undefined && <RoleChoice roles={roles} held={current?.roleIds ?? []} />}
    </FormDialog>
  )
}

interface PersonFieldsProps {
  readonly current: Person | null
  readonly mayTypePasswords: boolean
  readonly errors: Readonly<Record<string, string>>
  readonly emailError: string | undefined
}

/** Who a person is, and where they belong. */
function PersonFields({ current, mayTypePasswords, errors, emailError }: PersonFieldsProps) {
  const { may } = useSession()
  const departments = useQuery({ ...departmentsQuery, enabled: may('VIEW_DEPARTMENT') }).data ?? []
  const people = useDirectory().filter(({ id }) => id !== current?.id)
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <TextInput
        name="firstName"
        label={t('First name')}
        defaultValue={current?.firstName ?? ''}
        error={errors['firstName']}
        autoComplete="off"
        data-autofocus
      />
      <TextInput
        name="lastName"
        label={t('Last name')}
        defaultValue={current?.lastName ?? ''}
        error={errors['lastName']}
        autoComplete="off"
      />
      <TextInput
        name="email"
        type="email"
        label={t('Email')}
        defaultValue={current?.email}
        error={emailError}
        required
        withAsterisk={false}
        autoComplete="off"
      />
      {mayTypePasswords && (
        <PasswordInput
          name="password"
          label={current ? t('New password') : t('Password')}
          description={current ? t('Leave empty to keep') : t('At least 10 characters')}
          minLength={10}
          error={errors['password']}
          required={!current}
          withAsterisk={false}
          autoComplete="new-password"
        />
      )}
      <DepartmentChoice departments={departments} current={current?.departmentId} error={errors['departmentId']} />
      <NativeSelect
        name="managerId"
        label={t('Manager')}
        defaultValue={current?.managerId ?? ''}
        error={errors['managerId']}
        data={[{ value: '', label: t('Unassigned') }, ...people.map(({ id, name }) => ({ value: id, label: name }))]}
      />
      <NativeSelect
        name="timezone"
        label={t('Time zone')}
        defaultValue={current?.timezone ?? ''}
        error={errors['timezone']}
        data={[{ value: '', label: t('Workspace default') }, ...timeZones(current?.timezone ?? 'UTC')]}
      />
      <NativeSelect
        name="status"
        label={t('Status')}
        defaultValue={current?.status ?? 'ACTIVE'}
        error={errors['status']}
        data={[...statuses]}
      />
    </SimpleGrid>
  )
}

function fieldsOf(form: FormData) {
  const text = (name: string) => textIn(form, name).trim() || null
  return {
    firstName: text('firstName'),
    lastName: text('lastName'),
    departmentId: text('departmentId'),
    managerId: text('managerId'),
    timezone: text('timezone'),
    status: statusOf(textIn(form, 'status')),
  }
}

function personOf(form: FormData, roles: readonly Role[] | undefined): NewPerson {
  return {
    ...fieldsOf(form),
    email: textIn(form, 'email'),
    password: textIn(form, 'password'),
    ...(roles ? { roleIds: rolesIn(form) } : {}),
  }
}

/** Returns the fields of the form; fields that need more rights are included only if they changed. */
function patchOf(form: FormData, current: Person, roles: readonly Role[] | undefined): PersonPatch {
  const email = textIn(form, 'email').trim()
  const password = textIn(form, 'password')
  const roleIds = rolesIn(form)
  const hasOtherRoles =
    roles !== undefined &&
    (roleIds.length !== current.roleIds.length || roleIds.some((id) => !current.roleIds.includes(id)))
  const { departmentId, status, ...fields } = fieldsOf(form)
  return {
    ...fields,
    ...(departmentId === current.departmentId ? {} : { departmentId }),
    ...(status === current.status ? {} : { status }),
    ...(email === current.email ? {} : { email }),
    ...(password === '' ? {} : { password, endConnections: form.get('endConnections') === 'yes' }),
    ...(hasOtherRoles ? { roleIds } : {}),
  }
}
