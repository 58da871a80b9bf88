import websocket, { type WebSocket } from '@fastify/websocket'
import type { BookingRow } from '@crm/db'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { findByCallToken } from '../bookings/bookings.repository.ts'
import type { BookingDeps } from '../platform/deps.ts'
import { createWorkspaceFinder } from '../platform/find-workspace.ts'
import { iceServersFor, type IceConfig } from '../rooms/ice-servers.ts'
import type { RoomMessage } from '../rooms/room-bus.ts'
import { decideRoomState } from './room-state.ts'
import { createSeats, type Seats } from './seats.ts'

const messageBytesMax = 64 * 1024
const beatEveryMs = 10_000
/** A call needs some dozens of messages; a browser that sends more than this between two beats has another purpose. */
const messagesPerBeatMax = 500

const closeCodes = { notHere: 4404, notOpen: 4403, full: 4409, tooMuch: 4429 } as const
/** The code of `ws` for a connection that ended without a close message. */
const lostCode = 1006
const noIce: IceConfig = { stunUrls: [], turnUrls: [] }

const fromBrowser = z.object({ to: z.uuid(), data: z.unknown() })

/** The messages to a browser. */
type Told =
  | { readonly type: 'welcome'; readonly iceServers: unknown }
  | { readonly type: 'peer'; readonly id: string; readonly calls: boolean }
  | { readonly type: 'signal'; readonly from: string; readonly data: unknown }
  | { readonly type: 'left'; readonly id: string }
  | { readonly type: 'full' }
  | { readonly type: 'closed'; readonly state: string }

/**
 * Adds the WebSocket at which the two browsers of a call find each other: `/call/<token>/socket?member=<uuid>`.
 *
 * A browser sends `{ to, data }` and receives `welcome`, `peer`, `signal`, `left`, `full` and `closed`. A member that
 * comes again with its id still has its seat.
 */
export function addSignalling(app: FastifyInstance, deps: BookingDeps): void {
  const findWorkspace = createWorkspaceFinder(deps)
  const seats = createSeats(deps.redis)
  void app.register(websocket, { options: { maxPayload: messageBytesMax } })
  void app.register(async (scope) => {
    scope.get('/call/:token/socket', { websocket: true }, (socket, request) => {
      const { token } = request.params as { readonly token: string }
      const member = z.uuid().safeParse((request.query as { readonly member?: unknown }).member)
      const readBooking = async () => {
        const workspace = await findWorkspace(request.headers.host ?? '')
        return workspace ? findByCallToken(deps.db, workspace.id, token) : undefined
      }
      const attending = attend(deps, seats, socket, { member: member.data, readBooking })
      attending.catch((error: unknown) => {
        deps.logger.error({ err: error }, 'a socket of a call failed')
        socket.close(1011)
      })
    })
  })
}

interface Attendance {
  readonly member: string | undefined
  readBooking(): Promise<BookingRow | undefined>
}

async function attend(
  { rooms, clock, ice = noIce }: BookingDeps,
  seats: Seats,
  socket: WebSocket,
  { member, readBooking }: Attendance,
): Promise<void> {
  const tell = (told: Told) => socket.send(JSON.stringify(told))
  // Messages that come before the seat is taken wait here.
  const early: unknown[] = []
  let hear = (raw: unknown): void => void early.push(raw)
  socket.on('message', (raw: unknown) => hear(raw))
  const gone = new Promise<number>((resolve) => socket.once('close', (code: number) => resolve(code)))

  const booking = await readBooking()
  const state = booking && decideRoomState(booking, clock.now())
  if (!booking?.roomId || !member) return socket.close(closeCodes.notHere)
  const { roomId } = booking
  if (state !== 'open') return refuse(socket, { type: 'closed', state: state ?? 'over' }, closeCodes.notOpen)
  if (!(await seats.take(roomId, member))) return refuse(socket, { type: 'full' }, closeCodes.full)

  const say = (message: RoomMessage) => rooms.say(roomId, message)
  const leave = await rooms.join(roomId, (message) => {
    if (message.kind === 'closed') return refuse(socket, { type: 'closed', state: 'cancelled' }, closeCodes.notOpen)
    if (message.from === member || ('to' in message && message.to !== member)) return
    const { from } = message
    if (message.kind === 'signal') return tell({ type: 'signal', from, data: message.data })
    if (message.kind === 'bye') return tell({ type: 'left', id: from })
    // Both are told of each other; exactly one of them makes the call, and both sides agree which.
    tell({ type: 'peer', id: from, calls: member > from })
    if (message.kind === 'hello') say({ kind: 'here', from: member, to: from })
  })
  tell({ type: 'welcome', iceServers: iceServersFor(member, ice, clock.now()) })
  let messages = 0
  hear = (raw) => {
    if (++messages > messagesPerBeatMax) return socket.close(closeCodes.tooMuch)
    const parsed = fromBrowser.safeParse(parseJson(raw))
    if (parsed.success) say({ kind: 'signal', from: member, to: parsed.data.to, data: parsed.data.data })
  }
  early.forEach(hear)
  say({ kind: 'hello', from: member })

  const beat = async () => {
    messages = 0
    const now = await readBooking()
    const stateNow = now ? decideRoomState(now, clock.now()) : 'over'
    if (stateNow !== 'open') return refuse(socket, { type: 'closed', state: stateNow }, closeCodes.notOpen)
    await seats.take(roomId, member)
  }
  const stop = keepAlive(socket, beat)
  const code = await gone
  stop()
  leave()
  // A lost connection comes back, and the call continues without it.
  if (code === lostCode) return
  say({ kind: 'bye', from: member })
  await seats.free(roomId, member)
}

function refuse(socket: WebSocket, told: Told, code: number): void {
  socket.send(JSON.stringify(told))
  socket.close(code)
}

/** Asks for a sign of life at intervals, and ends a connection that gives none. A failed beat is no reason to end a call. */
function keepAlive(socket: WebSocket, beat: () => Promise<void>): () => void {
  let isAlive = true
  socket.on('pong', () => {
    isAlive = true
  })
  const timer = setInterval(() => {
    if (!isAlive) return socket.terminate()
    isAlive = false
    socket.ping()
    beat().catch(() => undefined)
  }, beatEveryMs)
  return () => clearInterval(timer)
}

function parseJson(raw: unknown): unknown {
  try {
    return JSON.parse(String(raw))
  } catch {
    return undefined
  }
}
