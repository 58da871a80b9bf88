import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { allItems } from '../all-items.ts'
import { crm } from '../api.ts'
import { textIn } from '../form-text.ts'
import { fieldErrors, isRefusedWith } from '../refusals.ts'
import { useSession } from '../session.ts'
import { ConfirmDialog } from '../shell/confirm-dialog.tsx'
import { Page, Panel } from '../shell/page.tsx'
import { Pill } from '../shell/pill.tsx'
import { EmptyState, LoadingLines, RefusalAlert } from '../shell/states.tsx'
import tables from '../shell/table.module.css'
import { useChange } from './changes.ts'
import { FormDialog } from './form-dialog.tsx'

interface NamedRow {
  readonly id: string
  readonly name: string
  readonly systemKey?: string | null
}

/** A kind of small named thing, and how it is read and changed. */
interface NamedList {
  readonly title: string
  readonly note: string
  readonly noun: string
  readonly key: string
  read(signal: AbortSignal): Promise<readonly NamedRow[]>
  create(name: string): Promise<unknown>
  rename(id: string, name: string): Promise<unknown>
  remove(id: string): Promise<unknown>
}

const leadSources: NamedList = {
  title: 'Lead sources', note: 'Where leads come from.', noun: 'lead source', key: 'lead-sources',
  read: (signal) => allItems((page) => crm.leadSources.list({ query: { page, pageSize: 100 }, signal })),
  create: (name) => crm.leadSources.create({ body: { name } }),
  rename: (id, name) => crm.leadSources.update({ params: { id }, body: { name } }),
  remove: (id) => crm.leadSources.delete({ params: { id } }),
}

const industries: NamedList = {
  title: 'Industries', note: 'What companies do.', noun: 'industry', key: 'industries',
  read: (signal) => allItems((page) => crm.industries.list({ query: { page, pageSize: 100 }, signal })),
  create: (name) => crm.industries.create({ body: { name } }),
  rename: (id, name) => crm.industries.update({ params: { id }, body: { name } }),
  remove: (id) => crm.industries.delete({ params: { id } }),
}

/** The small lists that records choose from. */
export function ReferenceDataPage() {
  return (
    <Page title="Lists" note="What people choose from when they fill in a record." narrow>
      <NamedPanel list={leadSources} />
      <NamedPanel list={industries} />
    </Page>
  )
}

function NamedPanel({ list }: { readonly list: NamedList }) {
  const { may } = useSession()
  const mayChange = may('MANAGE_REFERENCE_DATA')
  const [edited, setEdited] = useState<NamedRow | 'new' | null>(null)
  const [removed, setRemoved] = useState<NamedRow | null>(null)
  const { data, error, refetch } = useQuery({ queryKey: [list.key], queryFn: ({ signal }) => list.read(signal) })
  const add = mayChange && <Button variant="default" size="xs" aria-label={`New ${list.noun}`} onClick={() => setEdited('new')}>New</Button>
  return (
    <Panel title={list.title} note={list.note} actions={add} flush>
      {data === undefined && <div className={tables.loading}>{error === null ? <LoadingLines label={`Loading: ${list.title}`} /> : <RefusalAlert error={error} retry={() => void refetch()} />}</div>}
      {data?.length === 0 && <EmptyState title="Nothing here yet" />}
      {data !== undefined && data.length > 0 && (
        <table className={tables.table} aria-label={list.title}>
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col"><span className={tables.spoken}>Actions</span></th>
            </tr>
          </thead>
          <tbody>
            {data.map((row) => (
              <tr key={row.id}>
                <td><span className={tables.title}>{row.name}</span> {row.systemKey && <Pill>Used by the service</Pill>}</td>
                <td>
                  {mayChange && (
                    <div className={tables.actions}>
                      <Button variant="default" size="xs" aria-label={`Rename ${row.name}`} onClick={() => setEdited(row)}>Rename</Button>
                      {!row.systemKey && <Button variant="subtle" color="red" size="xs" aria-label={`Delete ${row.name}`} onClick={() => setRemoved(row)}>Delete</Button>}
                    </div>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <NameDialog list={list} row={edited} onClose={() => setEdited(null)} />
      <RemoveDialog list={list} row={removed} onClose={() => setRemoved(null)} />
    </Panel>
  )
}

function NameDialog({ list, row, onClose }: { readonly list: NamedList; readonly row: NamedRow | 'new' | null; onClose(): void }) {
  const isNew = row === 'new'
  const save = useChange((name: string) => (row === null || isNew ? list.create(name) : list.rename(row.id, name)), { said: 'Saved', stale: [list.key], onDone: onClose })
  const error = isRefusedWith(save.error, 'NAME_TAKEN') ? 'This name is taken' : fieldErrors(save.error)['name']
  const close = () => {
    save.reset()
    onClose()
  }
  return (
    <FormDialog opened={row !== null} title={isNew ? `New ${list.noun}` : `Rename the ${list.noun}`} submit="Save" isBusy={save.isPending} error={error === undefined ? save.error : null} onSubmit={(form) => save.mutate(textIn(form, 'name'))} onClose={close}>
      <TextInput name="name" label="Name" defaultValue={row === null || isNew ? '' : row.name} error={error} maxLength={100} required withAsterisk={false} autoComplete="off" data-autofocus />
    </FormDialog>
  )
}

function RemoveDialog({ list, row, onClose }: { readonly list: NamedList; readonly row: NamedRow | null; onClose(): void }) {
  const remove = useChange((id: string) => list.remove(id), { said: 'Deleted', stale: [list.key], onDone: onClose })
  const close = () => {
    remove.reset()
    onClose()
  }
  return (
    <ConfirmDialog opened={row !== null} onClose={close} title={`Delete this ${list.noun}?`} confirm="Delete" isDestructive isBusy={remove.isPending} error={remove.error} onConfirm={() => row !== null && remove.mutate(row.id)}>
      Nothing can choose <b>{row?.name}</b> from now on. While records use it, it stays.
    </ConfirmDialog>
  )
}
