import { newId, schema } from '@crm/db'
import { expect, it } from 'vitest'
import { apiUnderTest } from '../../../../test/harness.ts'

const { call, workspace, db } = await apiUnderTest()
const path = '/api/settings/notifications'

async function told(texts: readonly string[]) {
  const { id: employeeId } = await workspace.employee({ grant: { permissions: [] } })
  const rows = texts.map((text, at) => ({
    createdAt: `2026-06-0${at + 1}T08:00:00Z`,
    workspaceId: workspace.workspaceId,
    id: newId(),
    employeeId,
    kind: 'booking.mail-failed',
    text,
    data: { bookingId: 'x' },
  }))
  await db.insert(schema.notifications).values(rows)
  return { ids: rows.map(({ id }) => id), cookie: await workspace.session(employeeId) }
}

it('lists one’s own, newest first, and marks the named ones or all as read', async () => {
  const other = await told(['Of somebody else'])
  const { ids, cookie } = await told(['First', 'Second', 'Third'])
  expect((await call({ path, cookie })).body).toMatchObject({
    total: 3,
    items: [{ text: 'Third', readAt: null, data: { bookingId: 'x' } }, { text: 'Second' }, { text: 'First' }],
  })
  expect((await call({ method: 'PATCH', path, cookie, body: { ids: [ids[0], ...other.ids] } })).body.data).toEqual({
    updated: 1,
  })
  expect((await call({ path: `${path}?unread=true`, cookie })).body).toMatchObject({
    total: 2,
    items: [{ text: 'Third' }, { text: 'Second' }],
  })
  expect((await call({ method: 'PATCH', path, cookie, body: { read: true } })).body.data).toEqual({ updated: 2 })
  expect((await call({ path: `${path}?unread=true`, cookie })).body.total).toBe(0)
  expect((await call({ path: `${path}?unread=true`, cookie: other.cookie })).body.total).toBe(1)
})
