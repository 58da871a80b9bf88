import type { ChecklistItem, TaskRecord } from '@crm/contract'
import { ActionIcon, Button, Checkbox, CloseButton, Group, Stack, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { crm } from '../../base/api.ts'
import { Icon } from '../../shell/icons.tsx'
import { RefusalAlert } from '../../shell/states.tsx'
import classes from './checklist.module.css'
import { t } from '../../base/texts.ts'

type Change = { readonly isDone: boolean } | { readonly position: number }

/** The checklist of a task: items can be checked off, sorted and added. */
export function Checklist({ task, mayChange }: { readonly task: TaskRecord; readonly mayChange: boolean }) {
  const client = useQueryClient()
  const onSettled = () => client.invalidateQueries({ queryKey: ['tasks'] })
  const change = useMutation({
    mutationFn: ({ itemId, body }: { itemId: string; body: Change }) =>
      crm.taskChecklist.update({ params: { id: task.id, itemId }, body }),
    onSettled,
  })
  const remove = useMutation({
    mutationFn: (itemId: string) => crm.taskChecklist.delete({ params: { id: task.id, itemId } }),
    onSettled,
  })
  const isBusy = change.isPending || remove.isPending
  return (
    <Stack gap="sm">
      <RefusalAlert error={change.error ?? remove.error} />
      {task.checklist.length > 0 && (
        <ul className={classes.items} aria-label={t('Checklist')}>
          {task.checklist.map((item, at) => (
            <li key={item.id} className={classes.item} data-done={item.isDone}>
              <Checkbox
                label={item.title}
                checked={item.isDone}
                disabled={!mayChange || isBusy}
                onChange={() => change.mutate({ itemId: item.id, body: { isDone: !item.isDone } })}
              />
              {mayChange && (
                <ItemActions
                  item={item}
                  isLast={at === task.checklist.length - 1}
                  isBusy={isBusy}
                  onMove={(position) => change.mutate({ itemId: item.id, body: { position } })}
                  onRemove={() => remove.mutate(item.id)}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {mayChange && <AddItem taskId={task.id} />}
    </Stack>
  )
}

interface ItemActionsProps {
  readonly item: ChecklistItem
  readonly isLast: boolean
  readonly isBusy: boolean
  onMove(position: number): void
  onRemove(): void
}

function ItemActions({ item: { title, position }, isLast, isBusy, onMove, onRemove }: ItemActionsProps) {
  return (
    <Group gap={2} wrap="nowrap">
      <ActionIcon
        size="sm"
        aria-label={t('Move {title} up', { title })}
        disabled={isBusy || position === 0}
        onClick={() => onMove(position - 1)}
      >
        <Icon name="up" size={14} />
      </ActionIcon>
      <ActionIcon
        size="sm"
        aria-label={t('Move {title} down', { title })}
        disabled={isBusy || isLast}
        onClick={() => onMove(position + 1)}
      >
        <Icon name="down" size={14} />
      </ActionIcon>
      <CloseButton size="sm" aria-label={t('Delete {title}', { title })} disabled={isBusy} onClick={onRemove} />
    </Group>
  )
}

function AddItem({ taskId }: { readonly taskId: string }) {
  const [title, setTitle] = useState('')
  const client = useQueryClient()
  const add = useMutation({
    mutationFn: () => crm.taskChecklist.create({ params: { id: taskId }, body: { title } }),
    onSuccess: () => {
      setTitle('')
      return client.invalidateQueries({ queryKey: ['tasks'] })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (title.trim() !== '' && !add.isPending) add.mutate()
  }
  return (
    <form onSubmit={submit} aria-label={t('Add to the checklist')}>
      <RefusalAlert error={add.error} />
      <Group gap="xs" wrap="nowrap">
        <TextInput
          flex={1}
          size="xs"
          aria-label={t('New item')}
          placeholder={t('Another step')}
          maxLength={500}
          value={title}
          onChange={(event) => setTitle(event.currentTarget.value)}
        />
        <Button type="submit" size="xs" variant="default" disabled={title.trim() === ''} loading={add.isPending}>
          {t('Add item')}
        </Button>
      </Group>
    </form>
  )
}
