import { newId, type schema } from '@crm/db'

type Row = typeof schema.bookings.$inferInsert

/** Returns a confirmed booking with secrets of its own, for tests that write its row; what they do not name is that of some guest. */
export function bookingRow(
  row: Pick<Row, 'workspaceId' | 'linkId' | 'organizerId' | 'startAt' | 'endAt'> & Partial<Row>,
): Row {
  return {
    id: newId(),
    status: 'CONFIRMED',
    inviteeName: 'Zoë',
    inviteeEmail: 'zoe@guest.test',
    inviteeTimezone: 'UTC',
    joinUrl: 'http://x',
    manageTokenHash: Buffer.from(newId()),
    callTokenHash: Buffer.from(newId()),
    ...row,
  }
}
