import { ActionIcon, Button, Group, Stack } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { Icon } from '../../shell/icons.tsx'
import type { Kind } from '../record-kinds.ts'
import {
  Conditions,
  conditionsIn,
  conditionsMax,
  draftOf,
  newGroup,
  problemsIn,
  wireOf,
  type Draft,
} from './filter-conditions.tsx'
import { emptyRow } from './filter-rows.tsx'
import { membersOf, type WireGroup } from './list-address.ts'
import classes from './work-list.module.css'
import { t } from '../../base/texts.ts'
import { Dialog } from '../../shell/dialog.tsx'

interface FilterDialogProps {
  readonly kind: Kind
  readonly group: WireGroup | undefined
  /** Whether all conditions must hold, and values are fixed: neither “me” nor days such as “yesterday”. */
  readonly isStrict?: boolean
  onApply(group: WireGroup | undefined): void
  onClose(): void
}

/** The conditions of a list, each made of a field, an operator and a value; some can stand in groups of their own. */
export function FilterDialog({ kind, group, isStrict = false, onApply, onClose }: FilterDialogProps) {
  const [own, setOwn] = useState(() => draftOf(group, kind))
  const [groups, setGroups] = useState<readonly Draft[]>(() =>
    (group ? membersOf(group) : []).flatMap((member) => ('field' in member ? [] : [draftOf(member, kind)])),
  )
  const [problems, setProblems] = useState<ReadonlyMap<number, string>>(new Map())
  const drafts = [own, ...groups]
  const count = drafts.reduce((sum, { rows }) => sum + rows.length, 0)
  const apply = (event: FormEvent) => {
    event.preventDefault()
    const wrong = problemsIn(drafts)
    setProblems(wrong)
    if (wrong.size > 0) return
    const inner = groups.flatMap((draft) => wireOf(draft, conditionsIn(draft)) ?? [])
    onApply(wireOf(own, [...conditionsIn(own), ...inner]))
  }
  const shared = { kind, isStrict, problems, isFull: count >= conditionsMax }
  return (
    <Dialog opened onClose={onClose} title={t('Filter')} size="xl" classNames={{ body: classes.filterBody }}>
      <form onSubmit={apply} aria-label={t('Filter')}>
        <Stack>
          <Conditions {...shared} draft={own} isAlone={groups.length === 0} onChange={setOwn} />
          {groups.map((draft) => (
            <div key={draft.id} role="group" aria-label={t('Group of conditions')} className={classes.filterGroup}>
              <Conditions
                {...shared}
                draft={draft}
                isAlone={false}
                onChange={(next) => setGroups(groups.map((one) => (one.id === draft.id ? next : one)))}
              />
              <Group justify="space-between">
                <Button
                  variant="subtle"
                  size="compact-sm"
                  leftSection={<Icon name="plus" size={16} />}
                  disabled={shared.isFull}
                  onClick={() =>
                    setGroups(groups.map((one) => (one === draft ? { ...one, rows: [...one.rows, emptyRow()] } : one)))
                  }
                >
                  {t('Add to group')}
                </Button>
                <ActionIcon
                  aria-label={t('Remove group')}
                  onClick={() => setGroups(groups.filter((one) => one !== draft))}
                >
                  <Icon name="trash" size={16} />
                </ActionIcon>
              </Group>
            </div>
          ))}
          <Group justify="space-between">
            <Group gap="xs">
              <Button
                variant="subtle"
                leftSection={<Icon name="plus" size={16} />}
                disabled={shared.isFull}
                onClick={() => setOwn({ ...own, rows: [...own.rows, emptyRow()] })}
              >
                {t('Add condition')}
              </Button>
              {!isStrict && (
                <Button
                  variant="subtle"
                  leftSection={<Icon name="plus" size={16} />}
                  disabled={shared.isFull}
                  onClick={() => setGroups([...groups, newGroup(own.match)])}
                >
                  {t('Add group')}
                </Button>
              )}
            </Group>
            <Group gap="sm">
              <Button variant="default" onClick={onClose}>
                {t('Cancel')}
              </Button>
              <Button type="submit">{t('Apply')}</Button>
            </Group>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
