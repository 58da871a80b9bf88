import { filterVisibilities, type FilteredEntity } from '@crm/contract'
import { Button, Menu, Modal, NativeSelect, Stack, TextInput } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { allItems } from '../base/all-items.ts'
import { crm } from '../base/api.ts'
import { textIn } from '../base/form-text.ts'
import { usePeopleNames } from '../base/people.ts'
import { fieldErrors } from '../base/refusals.ts'
import { useSession } from '../base/session.ts'
import { useChange } from '../shell/changes.ts'
import { FormDialog } from '../shell/form-dialog.tsx'
import { Icon } from '../shell/icons.tsx'
import { EmptyState, RefusalAlert } from '../shell/states.tsx'
import { RecordTable, RowButton, RowTitle } from './record-table.tsx'
import { addressOfFilter, isApplied, type ListWish } from './saved-filter-address.ts'

type SavedFilter = Awaited<ReturnType<typeof crm.savedFilters.list>>['items'][number]

/** The filters of one kind of list that the person may use. */
const savedFiltersQuery = (entityType: FilteredEntity) =>
  queryOptions({
    queryKey: ['saved-filters', entityType],
    queryFn: ({ signal }) =>
      allItems((page) => crm.savedFilters.list({ query: { entityType, page, pageSize: 100 }, signal })),
    staleTime: 60_000,
  })

const visibilityNames = {
  PRIVATE: 'Only me',
  DEPARTMENT: 'My department',
  WORKSPACE: 'Everybody',
} as const satisfies Record<(typeof filterVisibilities)[number], string>

interface SavedFiltersProps<Address> {
  readonly entityType: FilteredEntity
  /** The present address. */
  readonly search: Address & { readonly savedFilterId?: string }
  /** The same parameters in the form of the list. */
  readonly wish: ListWish
  readonly view?: SavedFilter['view']
  read(raw: Readonly<Record<string, unknown>>): Address
  onGo(search: Address): void
}

/** The saved filters of a list: they can be applied, saved from the shown list, and deleted. */
export function SavedFilters<Address extends object>({
  entityType,
  search,
  wish,
  view = 'LIST',
  read,
  onGo,
}: SavedFiltersProps<Address>) {
  const { data: filters = [] } = useQuery(savedFiltersQuery(entityType))
  const [dialog, setDialog] = useState<'save' | 'manage' | null>(null)
  const applied = filters.find((filter) => filter.id === search.savedFilterId || isApplied(filter, search, read))
  const close = () => setDialog(null)
  return (
    <>
      <Menu position="bottom-start" width={260}>
        <Menu.Target>
          <Button variant="default" flex="0 0 auto" rightSection={<Icon name="down" size={14} />}>
            {applied?.name ?? 'Saved filters'}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {filters.length === 0 && <Menu.Label>No filter is saved yet</Menu.Label>}
          {filters.map((filter) => (
            <Menu.Item
              key={filter.id}
              aria-current={filter === applied}
              fw={filter === applied ? 600 : undefined}
              onClick={() => onGo(addressOfFilter(filter, read))}
            >
              {filter.name}
            </Menu.Item>
          ))}
          <Menu.Divider />
          {applied !== undefined && (
            <Menu.Item onClick={() => onGo(read({ view: 'view' in search ? search.view : undefined }))}>
              Show everything again
            </Menu.Item>
          )}
          <Menu.Item
            disabled={applied !== undefined || Object.keys(wish.query).length === 0}
            onClick={() => setDialog('save')}
          >
            Save this filter…
          </Menu.Item>
          {filters.length > 0 && <Menu.Item onClick={() => setDialog('manage')}>Manage saved filters…</Menu.Item>}
        </Menu.Dropdown>
      </Menu>
      <SaveDialog
        key={`${dialog}`}
        opened={dialog === 'save'}
        entityType={entityType}
        wish={wish}
        view={view}
        onClose={close}
      />
      <ManageDialog opened={dialog === 'manage'} filters={filters} onClose={close} />
    </>
  )
}

interface SaveDialogProps {
  readonly opened: boolean
  readonly entityType: FilteredEntity
  readonly wish: ListWish
  readonly view: SavedFilter['view']
  onClose(): void
}

function SaveDialog({ opened, entityType, wish, view, onClose }: SaveDialogProps) {
  const save = useChange(
    (form: FormData) => {
      const visibility = filterVisibilities.find((known) => known === form.get('visibility'))
      return crm.savedFilters.create({ body: { ...wish, name: textIn(form, 'name'), entityType, view, visibility } })
    },
    { said: 'The filter was saved', stale: ['saved-filters'], onDone: onClose },
  )
  return (
    <FormDialog
      opened={opened}
      title="Save this filter"
      submit="Save"
      isBusy={save.isPending}
      error={save.error}
      onSubmit={save.mutate}
      onClose={onClose}
    >
      <TextInput
        name="name"
        label="Name"
        error={fieldErrors(save.error)['name']}
        maxLength={100}
        required
        withAsterisk={false}
        autoComplete="off"
        data-autofocus
      />
      <NativeSelect
        name="visibility"
        label="Who can use it"
        data={filterVisibilities.map((value) => ({ value, label: visibilityNames[value] }))}
      />
    </FormDialog>
  )
}

function ManageDialog({
  opened,
  filters,
  onClose,
}: {
  readonly opened: boolean
  readonly filters: readonly SavedFilter[]
  onClose(): void
}) {
  const { may, person } = useSession()
  const people = usePeopleNames(filters.map(({ ownerId }) => ownerId))
  const remove = useChange((id: string) => crm.savedFilters.delete({ params: { id } }), {
    said: 'The filter was deleted',
    stale: ['saved-filters'],
  })
  const isManaged = ({ ownerId, visibility }: SavedFilter) =>
    ownerId === person.id || (visibility === 'WORKSPACE' && may('MANAGE_WORKSPACE'))
  return (
    <Modal opened={opened} onClose={onClose} title="Saved filters" size="lg">
      <Stack>
        <RefusalAlert error={remove.error} />
        {filters.length === 0 && <EmptyState title="No filter is saved" />}
        {filters.length > 0 && (
          <RecordTable
            label="Saved filters"
            rows={filters}
            columns={[
              { label: 'Name', cell: ({ name }) => <RowTitle>{name}</RowTitle> },
              { label: 'Who can use it', cell: ({ visibility }) => visibilityNames[visibility] },
              { label: 'Of', isExtra: true, cell: ({ ownerId }) => people.get(ownerId) ?? 'Somebody' },
            ]}
            actions={(filter) =>
              isManaged(filter) && (
                <RowButton verb="Delete" name={filter.name} isDestructive onClick={() => remove.mutate(filter.id)} />
              )
            }
          />
        )}
      </Stack>
    </Modal>
  )
}
