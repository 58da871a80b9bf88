import { Button, Group, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { crm } from '../../base/api.ts'
import { useSession } from '../../base/session.ts'
import { RefusalAlert } from '../../shell/states.tsx'
import { t } from '../../base/texts.ts'

/** Makes a task from one line, for the person themselves. */
export function QuickAdd({ projectId }: { readonly projectId: string | undefined }) {
  const { person } = useSession()
  const [title, setTitle] = useState('')
  const client = useQueryClient()
  const add = useMutation({
    mutationFn: () => crm.tasks.create({ body: { title, assigneeId: person.id, projectId } }),
    onSuccess: () => {
      setTitle('')
      return Promise.all([['tasks'], ['projects']].map((queryKey) => client.invalidateQueries({ queryKey })))
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (title.trim() !== '' && !add.isPending) add.mutate()
  }
  return (
    <form onSubmit={submit} aria-label={t('tasks.addATask')}>
      <Group gap="xs" wrap="nowrap">
        <TextInput
          flex={1}
          aria-label={t('tasks.whatIsToBeDone')}
          placeholder={t('tasks.addATask')}
          maxLength={500}
          value={title}
          onChange={(event) => setTitle(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" loading={add.isPending} disabled={title.trim() === ''}>
          {t('common.add')}
        </Button>
      </Group>
      <RefusalAlert error={add.error} />
    </form>
  )
}
