import { projectStatuses, type ProjectRecord } from '@crm/contract'
import { Checkbox, Group, NativeSelect, SimpleGrid, Textarea, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { crm } from '../../base/api.ts'
import { useDirectory } from '../../base/people.ts'
import { inWords } from '../../records/field-words.ts'
import { changedText, readFields } from '../../records/form-changes.ts'
import { RecordForm } from '../../records/record-form.tsx'

const fields = ['name', 'startDate', 'endDate', 'budget', 'currency', 'description'] as const

interface ProjectDialogProps {
  /** The project to change; a new one without it. */
  readonly project?: ProjectRecord
  readonly opened: boolean
  onClose(): void
}

/** Asks for a new project, or for changes of one. */
export function ProjectDialog({ project, opened, onClose }: ProjectDialogProps) {
  const navigate = useNavigate()
  const people = useDirectory()
  return (
    <RecordForm
      entityType="PROJECT"
      record={project}
      opened={opened}
      save={(form, shown) => (shown ? changeProject(shown, form) : addProject(form))}
      open={(id) => navigate({ to: '/projects/$id', params: { id } })}
      onClose={onClose}
    >
      {({ errors, field }) => (
        <>
          <TextInput label="Name" required data-autofocus {...field('name')} />
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" verticalSpacing="sm">
            <NativeSelect
              name="status"
              label="Status"
              defaultValue={project?.status ?? 'PLANNED'}
              data={projectStatuses.map((value) => ({ value, label: inWords(value) }))}
            />
            <TextInput
              name="progress"
              label="Progress in per cent"
              type="number"
              min={0}
              max={100}
              defaultValue={String(project?.progress ?? 0)}
              error={errors['progress']}
            />
            <TextInput label="Start" type="date" {...field('startDate')} />
            <TextInput label="End" type="date" {...field('endDate')} />
            <TextInput label="Budget" inputMode="decimal" placeholder="10000.00" {...field('budget')} />
            <TextInput label="Currency" placeholder="EUR" maxLength={3} {...field('currency')} />
          </SimpleGrid>
          {people.length > 0 && (
            <Checkbox.Group label="Members" defaultValue={project?.memberIds ?? []}>
              <Group gap="sm" mt="xs">
                {people.map(({ id, name }) => (
                  <Checkbox key={id} name="memberIds" value={id} label={name} />
                ))}
              </Group>
            </Checkbox.Group>
          )}
          <Textarea label="Description" rows={3} {...field('description')} />
        </>
      )}
    </RecordForm>
  )
}

function addProject(form: FormData) {
  const { name, ...rest } = bodyOf({}, form)
  return crm.projects.create({ body: { name: name ?? '', ...rest } })
}

function changeProject(project: ProjectRecord, form: FormData) {
  return crm.projects.update({
    params: { id: project.id },
    body: { ...bodyOf(project, form), version: project.version },
  })
}

function bodyOf(project: Partial<ProjectRecord>, form: FormData) {
  const { name, currency, ...rest } = changedText(project, readFields(form, fields))
  const status = projectStatuses.find((known) => known === form.get('status'))
  const progress = Number(form.get('progress'))
  const shown = form.getAll('memberIds').map(String)
  return {
    ...rest,
    // Neither can be taken away; an empty field leaves them as they are.
    ...(name === undefined ? {} : { name: name ?? '' }),
    ...(currency ? { currency: currency.toUpperCase() } : {}),
    ...(status === project.status ? {} : { status }),
    ...(progress === (project.progress ?? 0) ? {} : { progress }),
    ...(sameMembers(shown, project.memberIds ?? []) ? {} : { memberIds: shown }),
  }
}

function sameMembers(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((id) => other.includes(id))
}
