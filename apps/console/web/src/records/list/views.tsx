import { ActionIcon, Button, Menu } from '@mantine/core'
import { useState, type KeyboardEvent } from 'react'
import { useSession } from '../../base/session.ts'
import { Icon } from '../../shell/icons.tsx'
import { later } from '../../shell/later.tsx'
import { useChange } from '../../shell/changes.ts'
import { crm } from '../../base/api.ts'
import type { SavedView } from './list-queries.ts'
import { usualLayoutOf, type ViewBody } from './list-state.ts'
import { isStanding, usualViewOf, viewIdOf, type Layout, type ListAddress } from './list-address.ts'
import classes from './work-list.module.css'
import { t } from '../../base/texts.ts'

const ViewDialog = later(async () => (await import('./view-dialog.tsx')).ViewDialog)
const ManageViews = later(async () => (await import('./manage-views.tsx')).ManageViews)

interface ViewsProps {
  readonly entityType: string
  readonly address: ListAddress
  readonly views: readonly SavedView[]
  readonly hasMine: boolean
  /** Whether the API keeps views of this kind. */
  readonly canSave: boolean
  /** The id of the part of the page that a view fills. */
  readonly panelId: string
  /** How the records are shown. */
  readonly layout: Layout
  /** The list as it is shown, in the form of a view. */
  readonly body: ViewBody
  onGo(address: ListAddress): void
}

/** What can be done about the views of a list. */
interface ViewAction {
  readonly label: string
  readonly isBusy?: boolean
  run(): void
}

/** Returns the address of a view. The views that everybody has leave the records as they are shown. */
function addressOfTab(entityType: string, id: string, layout: Layout, hasDefault: boolean): ListAddress {
  const kept = layout === usualLayoutOf(entityType) ? {} : { layout }
  if (id === usualViewOf(entityType) && !hasDefault) return kept
  return isStanding(id) ? { ...kept, view: id } : { view: id }
}

/** The views of a list as tabs; the shown list can be saved as one, and a changed one can be saved again. */
export function Views({ entityType, address, views, hasMine, canSave, panelId, layout, body, onGo }: ViewsProps) {
  const { may, person } = useSession()
  const [dialog, setDialog] = useState<'save' | 'manage' | null>(null)
  const active = viewIdOf(entityType, address)
  const tabs = [
    { id: 'all', name: t('All') },
    ...(hasMine ? [{ id: 'mine', name: t('Mine') }] : []),
    ...views.map(({ id, name }) => ({ id, name })),
  ]
  const hasDefault = views.some(({ isDefault }) => isDefault)
  const current = views.find(({ id }) => id === address.view)
  const isChanged = Object.keys(address).some((name) => !['view', 'page', 'pageSize'].includes(name))
  const mayChange =
    current && (current.ownerId === person.id || (current.visibility === 'WORKSPACE' && may('MANAGE_WORKSPACE')))
  const update = useChange(
    () => crm.savedFilters.update({ params: { id: current?.id ?? '' }, body: { ...body, query: { ...body.query } } }),
    {
      said: t('View saved'),
      stale: ['saved-filters'],
      onDone: () => onGo({ view: current?.id }),
    },
  )
  const actions: readonly ViewAction[] = [
    ...(isChanged && mayChange
      ? [{ label: t('Save changes'), run: () => update.mutate(undefined), isBusy: update.isPending }]
      : []),
    ...(isChanged && current ? [{ label: t('Reset view'), run: () => onGo({ view: current.id }) }] : []),
    ...(canSave ? [{ label: t('Save view'), run: () => setDialog('save') }] : []),
    ...(views.length > 0 ? [{ label: t('Manage views'), run: () => setDialog('manage') }] : []),
  ]
  const goByKeys = (event: KeyboardEvent<HTMLElement>) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const all = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=tab]')]
    const at = all.findIndex((tab) => tab === document.activeElement)
    all[(at + step + all.length) % all.length]?.focus()
  }
  return (
    <div className={classes.views}>
      <div role="tablist" aria-label={t('Views')} data-scrolls className={classes.tabs} onKeyDown={goByKeys}>
        {tabs.map(({ id, name }) => (
          <button
            key={id}
            type="button"
            role="tab"
            className={classes.tab}
            aria-selected={id === active}
            aria-controls={id === active ? panelId : undefined}
            tabIndex={id === active ? 0 : -1}
            title={name}
            onClick={() => onGo(addressOfTab(entityType, id, layout, hasDefault))}
          >
            <bdi>{name}</bdi>
          </button>
        ))}
      </div>
      <ViewActions actions={actions} />
      {dialog === 'save' && (
        <ViewDialog
          entityType={entityType}
          body={body}
          onSaved={(id) => onGo({ view: id })}
          onClose={() => setDialog(null)}
        />
      )}
      {dialog === 'manage' && (
        <ManageViews
          views={views}
          onDeleted={(id) => id === address.view && onGo({})}
          onClose={() => setDialog(null)}
        />
      )}
    </div>
  )
}

/** Buttons, and on a phone a menu: beside the tabs there is no room for their words. */
function ViewActions({ actions }: { readonly actions: readonly ViewAction[] }) {
  return (
    <>
      <div className={classes.viewActions}>
        {actions.map(({ label, run, isBusy }) => (
          <Button key={label} variant="subtle" size="compact-sm" loading={isBusy} onClick={run}>
            {label}
          </Button>
        ))}
      </div>
      {actions.length > 0 && (
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon variant="subtle" size="md" className={classes.viewMenu} aria-label={t('View actions')}>
              <Icon name="dots" size={16} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {actions.map(({ label, run }) => (
              <Menu.Item key={label} onClick={run}>
                {label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </>
  )
}
