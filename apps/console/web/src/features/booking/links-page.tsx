import { Anchor, Button, Stack, Switch } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { settings } from '../../base/api.ts'
import { RowButton, RowNote, RowTitle } from '../../records/record-table.tsx'
import { TablePanel } from '../../records/table-panel.tsx'
import { CopyButton } from '../../shell/copy-button.tsx'
import { Icon } from '../../shell/icons.tsx'
import { Page } from '../../shell/page.tsx'
import { EmptyState } from '../../shell/states.tsx'
import { linksQuery, type BookingLink } from './booking-queries.ts'
import classes from './booking.module.css'
import { describeWeek } from './hours.ts'
import { t } from './texts.ts'
import { Dialog } from '../../shell/dialog.tsx'

/** The booking links of the workspace. */
export function BookingLinksPage() {
  const [page, setPage] = useState(1)
  const links = useQuery(linksQuery(page))
  const [embedded, setEmbedded] = useState<BookingLink | null>(null)
  return (
    <Page
      title={t('Booking links')}
      note={t('Guests book a meeting at a link’s page, or in its widget on your website.')}
      actions={
        <Button component={Link} to="/booking/links/new" leftSection={<Icon name="plus" size={16} />}>
          {t('New booking link')}
        </Button>
      }
    >
      <TablePanel
        label={t('Booking links')}
        reading={links}
        page={page}
        onPage={setPage}
        empty={<EmptyState title={t('No booking links')}>{t('Create a booking link and share it.')}</EmptyState>}
        isDead={({ isActive }) => !isActive}
        columns={[
          {
            label: t('Name'),
            cell: ({ id, name, slug, durationMin }) => (
              <RowTitle note={`/book/${slug} · ${durationMin} min`}>
                <Anchor component={Link} to={`/booking/links/${id}`}>
                  {name}
                </Anchor>
              </RowTitle>
            ),
          },
          {
            label: t('Hours', { context: 'of a week' }),
            isExtra: true,
            cell: ({ weeklyHours, timezone }) => (
              <>
                {describeWeek(weeklyHours)}
                <RowNote>{timezone}</RowNote>
              </>
            ),
          },
          { label: t('Active'), cell: (link) => <ActiveSwitch link={link} /> },
        ]}
        actions={(link) => (
          <>
            <CopyButton text={link.url} label={t('Copy link')} size="xs" />
            <RowButton verb={t('Embed')} name={link.name} onClick={() => setEmbedded(link)} />
          </>
        )}
      />
      <EmbedDialog link={embedded} onClose={() => setEmbedded(null)} />
    </Page>
  )
}

function ActiveSwitch({ link }: { readonly link: BookingLink }) {
  const client = useQueryClient()
  const toggle = useMutation({
    mutationFn: (isActive: boolean) => settings.bookingLinks.update({ params: { id: link.id }, body: { isActive } }),
    onSettled: () => client.invalidateQueries({ queryKey: ['booking-links'] }),
  })
  return (
    <>
      <Switch
        checked={toggle.isPending ? toggle.variables : link.isActive}
        aria-label={t('{name} accepts bookings', { name: link.name })}
        onChange={(event) => toggle.mutate(event.currentTarget.checked)}
      />
      <div className={classes.spoken} role="status">
        {toggle.isError ? t('The link could not be changed') : ''}
      </div>
    </>
  )
}

function EmbedDialog({ link, onClose }: { readonly link: BookingLink | null; onClose(): void }) {
  const code =
    link === null
      ? ''
      : `<script type="module" src="${new URL('/book/embed.js', link.url).href}"></script>\n<booking-widget slug="${link.slug}"></booking-widget>`
  return (
    <Dialog
      opened={link !== null}
      onClose={onClose}
      title={t('Embed {name}', { name: link?.name ?? '' })}
      size="lg"
      centered
    >
      <Stack>
        <div>{t('Paste this code where the calendar should appear on your site.')}</div>
        <pre className={classes.code} tabIndex={0} aria-label={t('Embed code')}>
          {code}
        </pre>
        <div>
          <CopyButton text={code} label={t('Copy the code')} />
        </div>
      </Stack>
    </Dialog>
  )
}
