import { Button, Menu } from '@mantine/core'
import { useId, useRef, useState } from 'react'
import { t } from '../../base/texts.ts'
import { CountBadge } from '../../shell/count-badge.tsx'
import { Icon } from '../../shell/icons.tsx'
import { later } from '../../shell/later.tsx'
import { usePageCommand } from '../page-commands.ts'
import type { Field, Kind } from '../record-kinds.ts'
import { FilterChip, FilterDialog } from './filter-bar.tsx'
import { conditionsOf, groupIn, membersOf, withMembers, type WireCondition, type WireGroup } from './list-address.ts'
import classes from './list-filters.module.css'
import { chosenOf, facetName, facetsOf, holds, quickFiltersOf, restOf, toggled, withChosen } from './quick-filters.ts'

const FilterEditor = later(async () => (await import('./filter-editor.tsx')).FilterEditor)

type Changes = (group: WireGroup | undefined, how?: { readonly replace: boolean }) => void

/** What of the filter is open: its editor, at a condition or at a new one, or the dialog for groups. */
type Opened = { readonly editor: number | undefined } | 'groups' | null

/** The filter of a list: which part of it is open, and the button that opens it. */
export function useListFilter(group: WireGroup | undefined) {
  const [opened, setOpened] = useState<Opened>(null)
  const button = useRef<HTMLButtonElement>(null)
  const editorId = useId()
  const hasGroups = group !== undefined && membersOf(group).some((member) => !('field' in member))
  const openNew = () => setOpened(hasGroups ? 'groups' : { editor: undefined })
  const close = () => {
    setOpened(null)
    button.current?.focus()
  }
  usePageCommand('filter', openNew)
  return { opened, setOpened, button, editorId, openNew, close }
}

type ListFilter = ReturnType<typeof useListFilter>

/** The button that opens the filter of a list, and closes it. */
export function FilterToggle({
  filter,
  group,
}: {
  readonly filter: ListFilter
  readonly group: WireGroup | undefined
}) {
  const { opened, button, editorId, openNew, close } = filter
  const count = group === undefined ? 0 : conditionsOf(group).length
  return (
    <Button
      ref={button}
      variant="default"
      className={classes.button}
      leftSection={<Icon name="filter" size={16} />}
      aria-keyshortcuts="f"
      aria-expanded={opened !== null}
      aria-controls={editorId}
      onPointerEnter={() => void FilterEditor.load()}
      onClick={opened === null ? openNew : close}
    >
      <span className={classes.buttonText}>{t('Filter')}</span>
      <CountBadge count={count} isCorner />
    </Button>
  )
}

interface ListFiltersProps {
  readonly filter: ListFilter
  readonly kind: Kind
  readonly group: WireGroup | undefined
  /** Whether the conditions are those of the view, whose name says them. */
  readonly isOfView: boolean
  readonly onChange: Changes
}

/** The conditions of a list above its rows: those that people often want, those that hold, and the editor of them. */
export function ListFilters({ filter, kind, group, isOfView, onChange }: ListFiltersProps) {
  const { opened, setOpened, editorId, close } = filter
  const quick = quickFiltersOf(kind)
  const facets = facetsOf(kind)
  const on = quick.filter((one) => holds(one, group))
  const conditions = group ? membersOf(group).filter((member): member is WireCondition => 'field' in member) : []
  const rest = restOf(group, on, facets)
  const edit = (member: WireCondition | WireGroup) =>
    setOpened('field' in member ? { editor: conditions.indexOf(member) } : 'groups')
  return (
    <>
      <ul
        className={classes.bar}
        data-scrolls
        aria-label={t('Filters')}
        data-open={opened !== null}
        data-of-view={isOfView}
      >
        {quick.map((one) => {
          const next = toggled(one, group)
          const isPressed = on.includes(one)
          return (
            <li key={one.key} data-on={isPressed}>
              <button
                type="button"
                className={classes.quick}
                aria-pressed={isPressed}
                disabled={!isUsable(next)}
                onClick={() => onChange(next)}
              >
                {one.label}
              </button>
            </li>
          )
        })}
        {facets.map((field) => {
          const isSaid = on.some(({ conditions: said }) => said.some((condition) => condition.field === field.key))
          const isOn = chosenOf(field, group).length > 0 && !isSaid
          return (
            <li key={field.key} data-on={isOn}>
              <Facet field={field} group={group} isOn={isOn} onChange={onChange} />
            </li>
          )
        })}
        {rest.map((member, at) => (
          <li key={JSON.stringify(member)} data-on="true" className={classes.chip}>
            <FilterChip
              member={member}
              kind={kind}
              joint={at > 0 && group !== undefined && 'or' in group}
              onEdit={() => edit(member)}
              onRemove={() =>
                onChange(
                  group &&
                    withMembers(
                      group,
                      membersOf(group).filter((one) => one !== member),
                    ),
                )
              }
            />
          </li>
        ))}
        {group !== undefined && (
          <li data-on="true">
            <Button variant="subtle" size="compact-sm" onClick={() => onChange(undefined)}>
              {t('Clear filters')}
            </Button>
          </li>
        )}
      </ul>
      {opened !== null && opened !== 'groups' && (
        <FilterEditor
          key={String(opened.editor)}
          id={editorId}
          kind={kind}
          group={group}
          at={opened.editor}
          onChange={onChange}
          onGroups={() => setOpened('groups')}
          onClose={close}
        />
      )}
      {opened === 'groups' && (
        <FilterDialog
          kind={kind}
          group={group}
          onApply={(next) => {
            setOpened(null)
            onChange(next)
          }}
          onClose={() => setOpened(null)}
        />
      )}
    </>
  )
}

/** Whether the API takes a filter: groups stand in groups only so deep. */
const isUsable = (group: WireGroup | undefined) => group === undefined || groupIn(JSON.stringify(group)) !== undefined

interface FacetProps {
  readonly field: Field
  readonly group: WireGroup | undefined
  /** Whether its choices are in force, and no quick filter says so. */
  readonly isOn: boolean
  readonly onChange: Changes
}

/** The choices of a field, of which any number can be wanted. */
function Facet({ field, group, isOn, onChange }: FacetProps) {
  const chosen = chosenOf(field, group)
  const toggle = (value: string) =>
    onChange(
      withChosen(field, chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value], group),
    )
  return (
    <Menu closeOnItemClick={false} position="bottom-start" withinPortal>
      <Menu.Target>
        <button type="button" className={classes.quick} data-chosen={isOn}>
          <bdi>{facetName(field, isOn ? chosen : [])}</bdi>
          <Icon name="down" size={12} />
        </button>
      </Menu.Target>
      <Menu.Dropdown className={classes.choices}>
        {field.options.map(({ value, label }) => (
          <Menu.CheckboxItem key={value} checked={chosen.includes(value)} onChange={() => toggle(value)}>
            {label}
          </Menu.CheckboxItem>
        ))}
        {chosen.length > 0 && (
          <>
            <Menu.Divider />
            <Menu.Item closeMenuOnClick onClick={() => onChange(withChosen(field, [], group))}>
              {t('Clear {label}', { label: field.label })}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
