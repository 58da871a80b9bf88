import { ActionIcon, Button } from '@mantine/core'
import { useState } from 'react'
import { useSession } from '../../base/session.ts'
import { CountBadge } from '../../shell/count-badge.tsx'
import { Icon } from '../../shell/icons.tsx'
import { later } from '../../shell/later.tsx'
import { usePageCommand } from '../page-commands.ts'
import type { Field, Kind } from '../record-kinds.ts'
import { useReferenceNames } from '../use-reference-names.ts'
import { memberInWords } from './condition-words.ts'
import { conditionsOf, membersOf, withMembers, type WireCondition, type WireGroup } from './list-address.ts'
import classes from './work-list.module.css'
import { t } from '../../base/texts.ts'

/** The dialog for groups of conditions. */
export const FilterDialog = later(async () => (await import('./filter-dialog.tsx')).FilterDialog)

interface FilterBarProps {
  readonly kind: Kind
  readonly group: WireGroup | undefined
  onChange(group: WireGroup | undefined): void
}

/** The button that opens the dialog "Filter". */
export function FilterButton({ kind, group, onChange }: FilterBarProps) {
  // The dialog belongs to the conditions with which it was opened: it closes when Back takes them away.
  const shown = JSON.stringify(group ?? null)
  const [openedFor, setOpenedFor] = useState<string | null>(null)
  const open = () => setOpenedFor(shown)
  const close = () => setOpenedFor(null)
  const count = group === undefined ? 0 : conditionsOf(group).length
  usePageCommand('filter', open)
  return (
    <>
      <Button variant="default" leftSection={<Icon name="filter" size={16} />} aria-keyshortcuts="f" onClick={open}>
        {t('Filter')}
        <CountBadge count={count} />
      </Button>
      {openedFor === shown && (
        <FilterDialog
          kind={kind}
          group={group}
          onApply={(next) => {
            close()
            onChange(next)
          }}
          onClose={close}
        />
      )}
    </>
  )
}

/** The conditions of a list, each of which can be taken off. */
export function FilterChips({ kind, group, onChange }: FilterBarProps) {
  if (group === undefined) return null
  const members = membersOf(group)
  return (
    <ul className={classes.chips} aria-label={t('Filters')}>
      {members.map((member, at) => (
        <li key={JSON.stringify(member)} className={classes.chip}>
          <FilterChip
            member={member}
            kind={kind}
            joint={at > 0 && 'or' in group}
            onRemove={() =>
              onChange(
                withMembers(
                  group,
                  members.filter((one) => one !== member),
                ),
              )
            }
          />
        </li>
      ))}
      <li>
        <Button variant="subtle" size="compact-sm" onClick={() => onChange(undefined)}>
          {t('Clear filters')}
        </Button>
      </li>
    </ul>
  )
}

interface FilterChipProps {
  readonly member: WireCondition | WireGroup
  readonly kind: Kind
  /** Whether the condition before it may hold instead. */
  readonly joint: boolean
  /** Opens what the chip says for a change. */
  onEdit?(): void
  onRemove(): void
}

/** One condition of a filter in words. */
export function FilterChip({ member, kind, joint, onEdit, onRemove }: FilterChipProps) {
  const { person } = useSession()
  const names = useNamesIn(member, kind)
  const text = memberInWords(member, kind, names, person.workspace.currency)
  const words = <bdi>{text}</bdi>
  return (
    <>
      {joint && <span className={classes.joint}>{t('or')}</span>}
      {onEdit ? (
        <button
          type="button"
          className={classes.chipText}
          title={text}
          aria-label={t('Change filter {text}', { text })}
          onClick={onEdit}
        >
          {words}
        </button>
      ) : (
        <span className={classes.chipText} title={text}>
          {words}
        </span>
      )}
      <ActionIcon size="sm" aria-label={t('Remove filter {text}', { text })} onClick={onRemove}>
        <Icon name="cross" size={12} />
      </ActionIcon>
    </>
  )
}

const nobody: Pick<Field, 'references'> = { references: '' }

/** Returns the names of what a condition refers to; the fields of a group in it are named by their first reference. */
function useNamesIn(member: WireCondition | WireGroup, kind: Kind): ReadonlyMap<string, string> {
  const conditions = 'field' in member ? [member] : conditionsOf(member)
  const fieldOf = (key: string) => kind.fields.find((field) => field.key === key && field.type.startsWith('REFERENCE'))
  const field = conditions.map((condition) => fieldOf(condition.field)).find((one) => one !== undefined)
  const ids = conditions
    .filter((condition) => condition.field === field?.key)
    .flatMap(({ value }) => (Array.isArray(value) ? value : [value]))
    .filter((value): value is string => typeof value === 'string' && value.length > 30)
  return useReferenceNames(field ?? (nobody as Field), kind, ids)
}
