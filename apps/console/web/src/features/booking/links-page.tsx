import { Anchor, Button, Modal, Stack, Switch } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { settings } from '../../base/api.ts'
import { CopyButton } from '../../shell/copy-button.tsx'
import { Icon } from '../../shell/icons.tsx'
import { Page, Panel } from '../../shell/page.tsx'
import { Pager } from '../../shell/pager.tsx'
import { EmptyState, LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import tables from '../../shell/table.module.css'
import { linksQuery, type BookingLink } from './booking-queries.ts'
import classes from './booking.module.css'
import { describeWeek } from './hours.ts'

/** The booking links of the workspace. */
export function BookingLinksPage() {
  const [page, setPage] = useState(1)
  const { data, error, refetch } = useQuery(linksQuery(page))
  return (
    <Page
      title="Booking links"
      note="Guests book a meeting at a link’s page, or in its widget on your website."
      actions={<Button component={Link} to="/booking/links/new" leftSection={<Icon name="plus" size={16} />}>New booking link</Button>}
    >
      <RefusalAlert error={error} retry={() => void refetch()} />
      {error === null && (
        <Panel flush>
          {data === undefined && <div className={tables.loading}><LoadingLines label="Loading the booking links" /></div>}
          {data?.items.length === 0 && <EmptyState title="No booking links">Make one, and send its address to somebody you want to meet.</EmptyState>}
          {data !== undefined && data.items.length > 0 && <LinksTable links={data.items} />}
        </Panel>
      )}
      {data !== undefined && data.pageCount > 1 && <Pager page={page} pageSize={data.pageSize} total={data.total} onPage={setPage} />}
    </Page>
  )
}

function LinksTable({ links }: { readonly links: readonly BookingLink[] }) {
  const [embedded, setEmbedded] = useState<BookingLink | null>(null)
  return (
    <>
      <table className={tables.table} aria-label="Booking links">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col" data-extra>Hours</th>
            <th scope="col">Active</th>
            <th scope="col"><span className={tables.spoken}>Actions</span></th>
          </tr>
        </thead>
        <tbody>{links.map((link) => <LinkRow key={link.id} link={link} onEmbed={() => setEmbedded(link)} />)}</tbody>
      </table>
      <EmbedDialog link={embedded} onClose={() => setEmbedded(null)} />
    </>
  )
}

function LinkRow({ link, onEmbed }: { readonly link: BookingLink; onEmbed(): void }) {
  const client = useQueryClient()
  const toggle = useMutation({
    mutationFn: (isActive: boolean) => settings.bookingLinks.update({ params: { id: link.id }, body: { isActive } }),
    onSettled: () => client.invalidateQueries({ queryKey: ['booking-links'] }),
  })
  return (
    <tr data-dead={!link.isActive}>
      <td>
        <Anchor component={Link} to={`/booking/links/${link.id}`} className={tables.title}>{link.name}</Anchor>
        <div className={tables.note}>{`/book/${link.slug} · ${link.durationMin} min`}</div>
      </td>
      <td data-extra>
        <div>{describeWeek(link.weeklyHours)}</div>
        <div className={tables.note}>{link.timezone}</div>
      </td>
      <td><Switch checked={toggle.isPending ? toggle.variables : link.isActive} aria-label={`${link.name} takes bookings`} onChange={(event) => toggle.mutate(event.currentTarget.checked)} /></td>
      <td>
        <div className={tables.actions}>
          <CopyButton text={link.url} label="Copy link" size="xs" />
          <Button variant="default" size="xs" aria-label={`Embed ${link.name}`} onClick={onEmbed}>Embed</Button>
        </div>
        <div className={classes.spoken} role="status">{toggle.isError ? 'The link could not be changed' : ''}</div>
      </td>
    </tr>
  )
}

function EmbedDialog({ link, onClose }: { readonly link: BookingLink | null; onClose(): void }) {
  const code = link === null ? '' : `<script type="module" src="${new URL('/book/embed.js', link.url).href}"></script>\n<booking-widget slug="${link.slug}"></booking-widget>`
  return (
    <Modal opened={link !== null} onClose={onClose} title={`Embed ${link?.name ?? ''}`} size="lg" centered>
      <Stack>
        <div>Put these two lines where the calendar is to stand on your website.</div>
        <pre className={classes.code} tabIndex={0} aria-label="Embed code">{code}</pre>
        <div><CopyButton text={code} label="Copy the code" /></div>
      </Stack>
    </Modal>
  )
}
