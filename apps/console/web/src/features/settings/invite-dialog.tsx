import { entitiesWith } from '@crm/model'
import { NativeSelect, TagsInput, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { settings } from '../../base/api.ts'
import { textIn } from '../../base/form-text.ts'
import { describeRefusal } from '../../base/refusals.ts'
import { useSession } from '../../base/session.ts'
import { FormDialog } from '../../shell/form-dialog.tsx'
import { notify } from '../../shell/notices.tsx'
import { accessOf, describeReach, permissionRows } from './access-words.ts'
import { DepartmentChoice } from './department-choice.tsx'
import { scopeGroups } from './scope-words.ts'
import { departmentsQuery, rolesQuery, type Role } from './settings-queries.ts'
import { t } from './texts.ts'

/** Characters between addresses that are pasted from elsewhere. */
const separators = [',', ';', ' ', '\n', '\t']

/** Invites several people at once; addresses that are refused stay in the dialog with the reason. */
export function InviteDialog({ onClose }: { onClose(): void }) {
  const { may } = useSession()
  const client = useQueryClient()
  const roles = useQuery({ ...rolesQuery, enabled: may('MANAGE_ROLES') }).data ?? []
  const departments = useQuery({ ...departmentsQuery, enabled: may('VIEW_DEPARTMENT') }).data ?? []
  const [emails, setEmails] = useState<readonly string[]>([])
  const [problems, setProblems] = useState<readonly string[]>([])
  const [chosen, setChosen] = useState<string | null>(null)
  const role = roles.find(({ id, name }) => (chosen === null ? name === 'Member' : id === chosen))
  const invite = useMutation({
    mutationFn: async (form: FormData) => {
      const given = { roleIds: textIn(form, 'roleId') === '' ? [] : [textIn(form, 'roleId')] }
      const departmentId = textIn(form, 'departmentId') || null
      const refused: { email: string; why: string }[] = []
      const unsent: string[] = []
      for (const email of emails)
        try {
          const { data } = await settings.invitations.create({ body: { ...given, email, departmentId } })
          if (!data.emailSent) unsent.push(email)
        } catch (error) {
          refused.push({ email, why: `${email}: ${describeRefusal(error).text}` })
        }
      return { refused, unsent }
    },
    onSuccess: ({ refused, unsent }) => {
      const invited = emails.length - refused.length
      if (invited > 0)
        notify(t('{count, plural, one {Invitation sent} other {# invitations sent}}', { count: invited }))
      setEmails(refused.map(({ email }) => email))
      setProblems([
        ...refused.map(({ why }) => why),
        ...unsent.map((email) => t('{email}: the email could not be sent. Resend it from the list.', { email })),
      ])
      if (refused.length + unsent.length === 0) onClose()
      return client.invalidateQueries({ queryKey: ['people'] })
    },
  })
  return (
    <FormDialog
      opened
      title={t('Invite people')}
      submit={t('Send invitations')}
      isBusy={invite.isPending}
      isIncomplete={emails.length === 0}
      error={invite.error}
      onSubmit={invite.mutate}
      onClose={onClose}
    >
      <TagsInput
        label={t('Email addresses')}
        description={t('Each person gets a link, chooses a password and joins.')}
        value={[...emails]}
        onChange={setEmails}
        splitChars={separators}
        acceptValueOnBlur
        maxTags={50}
        data-autofocus
      />
      {problems.length > 0 && (
        <Text c="red" size="sm" role="alert" component="div">
          {problems.map((problem) => (
            <div key={problem}>{problem}</div>
          ))}
        </Text>
      )}
      {roles.length > 0 && (
        <NativeSelect
          name="roleId"
          label={t('Role')}
          value={role?.id}
          onChange={(event) => setChosen(event.currentTarget.value)}
          data={roles.map(({ id, name }) => ({ value: id, label: name }))}
        />
      )}
      {role && <RoleInWords role={role} />}
      {departments.length > 0 && <DepartmentChoice departments={departments} />}
    </FormDialog>
  )
}

/** The kinds of record that tell roles apart on the first day; the page of roles has the others. */
const shared: readonly string[] = entitiesWith('shared')

/** Says what people with a role see and change. */
function RoleInWords({ role: { permissions, access } }: { readonly role: Role }) {
  const { scopes } = useSession()
  // In the words of all rights there are, also of those that the one who invites does not hold.
  const all = permissionRows(scopeGroups({ ...scopes, owned: scopes.allScopes.map(({ name }) => name) })).rows
  const rows = all.filter(({ entityType }) => shared.includes(entityType))
  const given = [rows, new Set(permissions), accessOf(access)] as const
  return (
    <Text size="sm" c="dimmed" aria-live="polite">
      {describeReach(...given)} {describeReach(...given, 'UPDATE')}
    </Text>
  )
}
