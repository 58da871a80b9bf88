import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { crm } from '../../base/api.ts'
import { textIn } from '../../base/form-text.ts'
import { useDirectory, usePeopleNames } from '../../base/people.ts'
import { fieldErrors } from '../../base/refusals.ts'
import { useSession } from '../../base/session.ts'
import { flattenTree } from '../../base/tree.ts'
import { RowButton, RowTitle } from '../../records/record-table.tsx'
import { TablePanel } from '../../records/table-panel.tsx'
import { useChange } from '../../shell/changes.ts'
import { ConfirmDialog } from '../../shell/confirm-dialog.tsx'
import { FormDialog } from '../../shell/form-dialog.tsx'
import { Icon } from '../../shell/icons.tsx'
import { Page } from '../../shell/page.tsx'
import { EmptyState } from '../../shell/states.tsx'
import { PersonName } from '../../shell/person-name.tsx'
import { departmentChoices } from './department-choice.tsx'
import { departmentsQuery, type Department } from './settings-queries.ts'
import { t } from './texts.ts'

/** The departments of the company; access by department follows this tree. */
export function DepartmentsPage() {
  const { may } = useSession()
  const [edited, setEdited] = useState<Department | 'new' | null>(null)
  const [removed, setRemoved] = useState<Department | null>(null)
  const reading = useQuery(departmentsQuery)
  const { data } = reading
  const placed = data && flattenTree(data).map(({ node, depth }) => ({ ...node, depth }))
  const heads = usePeopleNames(data?.map(({ headId }) => headId))
  const add = may('CREATE_DEPARTMENT') && (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setEdited('new')}>
      {t('New department')}
    </Button>
  )
  return (
    <Page
      title={t('Departments')}
      note={t('Roles can give access to the records of a department, and of those below it.')}
      actions={add}
    >
      <TablePanel
        label={t('Departments')}
        reading={{ ...reading, data: placed }}
        empty={
          <EmptyState title={t('No departments')}>
            {t('People without a department see what their roles give them alone.')}
          </EmptyState>
        }
        columns={[
          {
            label: t('Name'),
            cell: ({ name, depth }) => (
              <div style={{ paddingInlineStart: `${depth * 1.25}rem` }}>
                <RowTitle>{name}</RowTitle>
              </div>
            ),
          },
          {
            label: t('Head of department'),
            isExtra: true,
            cell: ({ headId }) =>
              headId !== null && heads.has(headId) && <PersonName id={headId} name={heads.get(headId) ?? ''} />,
          },
        ]}
        actions={(department) => (
          <>
            {may('UPDATE_DEPARTMENT') && (
              <RowButton verb={t('Edit')} name={department.name} onClick={() => setEdited(department)} />
            )}
            {may('DELETE_DEPARTMENT') && (
              <RowButton
                verb={t('Delete')}
                name={department.name}
                isDestructive
                onClick={() => setRemoved(department)}
              />
            )}
          </>
        )}
      />
      <DepartmentDialog
        key={edited === 'new' ? 'new' : edited?.id}
        department={edited}
        all={data ?? []}
        onClose={() => setEdited(null)}
      />
      <RemoveDialog department={removed} onClose={() => setRemoved(null)} />
    </Page>
  )
}

function DepartmentDialog({
  department,
  all,
  onClose,
}: {
  readonly department: Department | 'new' | null
  readonly all: readonly Department[]
  onClose(): void
}) {
  const current = department === 'new' ? null : department
  const save = useChange(
    (body: { name: string; parentId: string | null; headId: string | null }) =>
      current ? crm.departments.update({ params: { id: current.id }, body }) : crm.departments.create({ body }),
    { said: t('Saved'), stale: ['departments'], onDone: onClose },
  )
  const submit = (form: FormData) =>
    save.mutate({
      name: textIn(form, 'name'),
      parentId: textIn(form, 'parentId') || null,
      headId: textIn(form, 'headId') || null,
    })
  const people = useDirectory()
  const errors = fieldErrors(save.error)
  return (
    <FormDialog
      opened={department !== null}
      title={current ? t('Edit the department') : t('New department')}
      submit={t('Save')}
      isBusy={save.isPending}
      error={save.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextInput
        name="name"
        label={t('Name')}
        defaultValue={current?.name}
        error={errors['name']}
        maxLength={200}
        required
        withAsterisk={false}
        autoComplete="off"
        data-autofocus
      />
      <NativeSelect
        name="parentId"
        label={t('Parent department')}
        defaultValue={current?.parentId ?? ''}
        error={errors['parentId']}
        data={[{ value: '', label: t('None (top level)') }, ...departmentChoices(all, current)]}
      />
      <NativeSelect
        name="headId"
        label={t('Head of department')}
        defaultValue={current?.headId ?? ''}
        error={errors['headId']}
        data={[{ value: '', label: t('Unassigned') }, ...people.map(({ id, name }) => ({ value: id, label: name }))]}
      />
    </FormDialog>
  )
}

function RemoveDialog({ department, onClose }: { readonly department: Department | null; onClose(): void }) {
  const remove = useChange((id: string) => crm.departments.delete({ params: { id } }), {
    said: t('Department deleted'),
    stale: ['departments'],
    onDone: onClose,
  })
  const close = () => {
    remove.reset()
    onClose()
  }
  return (
    <ConfirmDialog
      opened={department !== null}
      onClose={close}
      title={t('Delete this department?')}
      confirm={t('Delete')}
      isDestructive
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => department !== null && remove.mutate(department.id)}
    >
      {t.rich(
        '<b>{name}</b> is deleted for good. A department with people, records or other departments cannot be deleted.',
        { name: department?.name ?? '', b: (text) => <b>{text}</b> },
      )}
    </ConfirmDialog>
  )
}
