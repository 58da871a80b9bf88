import { ActionIcon, Button, Group, Modal, Select, Stack } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { Icon } from '../../shell/icons.tsx'
import type { Kind } from '../record-kinds.ts'
import { ConditionRow, emptyRow, isComplete, rowOf, wireRow, type Row } from './filter-rows.tsx'
import { membersOf, withMembers, type WireCondition, type WireGroup } from './list-address.ts'
import classes from './work-list.module.css'
import { t } from '../../base/texts.ts'

interface FilterDialogProps {
  readonly kind: Kind
  readonly group: WireGroup | undefined
  /** Whether all conditions must hold, and values are fixed: neither “me” nor days such as “yesterday”. */
  readonly isStrict?: boolean
  onApply(group: WireGroup | undefined): void
  onClose(): void
}

type Match = 'and' | 'or'

/** Conditions while they are being written. */
interface Draft {
  readonly id: number
  readonly match: Match
  readonly rows: readonly Row[]
}

const conditionsMax = 20
let lastId = 0

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
    const wrong = new Map(
      drafts
        .flatMap(({ rows }) => rows.filter(isBegun))
        .flatMap((row) => (isComplete(row) ? [] : [[row.id, t('records.enterAValue')] as const])),
    )
    setProblems(wrong)
    if (wrong.size > 0) return
    const inner = groups.flatMap((draft) => wireOf(draft, conditionsIn(draft)) ?? [])
    onApply(wireOf(own, [...conditionsIn(own), ...inner]))
  }
  const shared = { kind, isStrict, problems, isFull: count >= conditionsMax }
  return (
    <Modal opened onClose={onClose} title={t('records.filter')} size="xl" classNames={{ body: classes.filterBody }}>
      <form onSubmit={apply} aria-label={t('records.filter')}>
        <Stack>
          <Conditions {...shared} draft={own} isAlone={groups.length === 0} onChange={setOwn} />
          {groups.map((draft) => (
            <div
              key={draft.id}
              role="group"
              aria-label={t('records.groupOfConditions')}
              className={classes.filterGroup}
            >
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
                  {t('records.addConditionToGroup')}
                </Button>
                <ActionIcon
                  aria-label={t('records.removeGroup')}
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
                {t('records.addCondition')}
              </Button>
              {!isStrict && (
                <Button
                  variant="subtle"
                  leftSection={<Icon name="plus" size={16} />}
                  disabled={shared.isFull}
                  onClick={() => setGroups([...groups, newGroup(own.match)])}
                >
                  {t('records.addGroup')}
                </Button>
              )}
            </Group>
            <Group gap="sm">
              <Button variant="default" onClick={onClose}>
                {t('common.cancel')}
              </Button>
              <Button type="submit">{t('records.apply')}</Button>
            </Group>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

interface ConditionsProps {
  readonly draft: Draft
  readonly kind: Kind
  readonly isStrict: boolean
  readonly problems: ReadonlyMap<number, string>
  /** Whether nothing else of the filter is combined with these conditions. */
  readonly isAlone: boolean
  onChange(draft: Draft): void
}

/** Some conditions, and whether all or any of them must hold. */
function Conditions({ draft, kind, isStrict, problems, isAlone, onChange }: ConditionsProps) {
  const { rows, match } = draft
  const set = (next: readonly Row[]) => onChange({ ...draft, rows: next })
  return (
    <>
      {!isStrict && (rows.length > 1 || !isAlone) && (
        <Select
          label={t('records.showRecordsThatMatch')}
          w="16rem"
          data={[
            { value: 'and', label: t('records.allConditions') },
            { value: 'or', label: t('records.anyCondition') },
          ]}
          value={match}
          allowDeselect={false}
          onChange={(value) => onChange({ ...draft, match: value === 'or' ? 'or' : 'and' })}
        />
      )}
      {rows.map((row, at) => (
        <ConditionRow
          key={row.id}
          row={row}
          kind={kind}
          isStrict={isStrict}
          isFirst={at === 0}
          problem={problems.get(row.id)}
          onChange={(next) => set(rows.map((one) => (one.id === next.id ? next : one)))}
          onRemove={() => set(rows.length === 1 ? [emptyRow()] : rows.filter(({ id }) => id !== row.id))}
        />
      ))}
    </>
  )
}

function draftOf(group: WireGroup | undefined, kind: Kind): Draft {
  const known = (group ? membersOf(group) : []).flatMap((member) => ('field' in member ? [rowOf(member, kind)] : []))
  const match = group !== undefined && 'or' in group ? 'or' : 'and'
  return { id: ++lastId, match, rows: known.length === 0 ? [emptyRow()] : known }
}

/** Returns a new group: it combines its conditions in the way that the conditions around it do not. */
function newGroup(around: Match): Draft {
  return { id: ++lastId, match: around === 'and' ? 'or' : 'and', rows: [emptyRow(), emptyRow()] }
}

const isBegun = ({ field }: Row): boolean => field !== undefined

function conditionsIn({ rows }: Draft): readonly WireCondition[] {
  return rows.filter(isBegun).map(wireRow)
}

function wireOf({ match }: Draft, members: readonly (WireCondition | WireGroup)[]): WireGroup | undefined {
  return withMembers(match === 'and' ? { and: [] } : { or: [] }, members)
}
