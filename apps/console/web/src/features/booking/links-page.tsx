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
import { t } from '../../base/texts.ts'
import { Dialog } from '../../shell/dialog.tsx'

/** The booking links of the workspace. */
export function BookingLinksPage() {
  const [page, setPage] = useState(1)
  const links = useQuery(linksQuery(page))
  const [embedded, setEmbedded] = useState<BookingLink | null>(null)
  return (
    <Page
      title={t('booking.bookingLinks')}
      note={t('booking.guestsBookAMeetingAt')}
      actions={
        <Button component={Link} to="/booking/links/new" leftSection={<Icon name="plus" size={16} />}>
          {t('booking.newBookingLink')}
        </Button>
      }
    >
      <TablePanel
        label={t('booking.bookingLinks')}
        reading={links}
        page={page}
        onPage={setPage}
        empty={<EmptyState title={t('booking.noBookingLinks')}>{t('booking.createABookingLinkAnd')}</EmptyState>}
        isDead={({ isActive }) => !isActive}
        columns={[
          {
            label: t('common.name'),
            cell: ({ id, name, slug, durationMin }) => (
              <RowTitle note={`/book/${slug} · ${durationMin} min`}>
                <Anchor component={Link} to={`/booking/links/${id}`}>
                  {name}
                </Anchor>
              </RowTitle>
            ),
          },
          {
            label: t('booking.hours'),
            isExtra: true,
            cell: ({ weeklyHours, timezone }) => (
              <>
                {describeWeek(weeklyHours)}
                <RowNote>{timezone}</RowNote>
              </>
            ),
          },
          { label: t('common.active'), cell: (link) => <ActiveSwitch link={link} /> },
        ]}
        actions={(link) => (
          <>
            <CopyButton text={link.url} label={t('booking.copyLink')} size="xs" />
            <RowButton verb={t('booking.embed')} name={link.name} onClick={() => setEmbedded(link)} />
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
        aria-label={t('booking.nameTakesBookings', { name: link.name })}
        onChange={(event) => toggle.mutate(event.currentTarget.checked)}
      />
      <div className={classes.spoken} role="status">
        {toggle.isError ? t('booking.theLinkCouldNotBe') : ''}
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
      title={t('booking.embedName', { name: link?.name ?? '' })}
      size="lg"
      centered
    >
      <Stack>
        <div>{t('booking.pasteThisCodeWhereThe')}</div>
        <pre className={classes.code} tabIndex={0} aria-label={t('booking.embedCode')}>
          {code}
        </pre>
        <div>
          <CopyButton text={code} label={t('booking.copyTheCode')} />
        </div>
      </Stack>
    </Dialog>
  )
}
