// Two browsers in one room: messages over a WebSocket, sound and picture directly between the two (WebRTC).

const firstPauseMs = 500
const pauseMsMax = 5_000
const finalCodes = [4403, 4404]

/** Returns a new UUID; the ready-made one is there on pages with https alone. */
const newId = () => {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = (bytes[6] & 0x0f) | 0x40
  bytes[8] = (bytes[8] & 0x3f) | 0x80
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/u, '$1-$2-$3-$4-')
}

/**
 * Joins a room and stays in it, over lost connections too, until `leave`.
 * `onState` receives `waiting`, `connecting`, `connected`, `left`, `lost` or `full`; `onRemote` receives the other's
 * stream.
 */
export function joinRoom({ url, stream, onState, onRemote, onClosed }) {
  let peer
  let own = stream
  let iceServers = []
  let state = ''

  const become = (next) => {
    if (next !== state) onState((state = next))
  }
  const send = (to, data) => socket.send({ to, data })
  const trackOf = (kind) => own.getTracks().find((track) => track.kind === kind) ?? null

  const hear = async (told) => {
    if (told.type === 'welcome') {
      socket.isWell()
      iceServers = told.iceServers
      if (state !== 'connected') become('waiting')
    } else if (told.type === 'peer') await meet(told)
    else if (told.type === 'signal') await understand(told)
    else if (told.type === 'left') part('left')
    else if (told.type === 'full') become('full')
    else if (told.type === 'closed') {
      leave()
      onClosed(told.state)
    }
  }

  const meet = async ({ id, calls }) => {
    // The other's socket was away for a moment; the connection is as good as before.
    if (peer?.id === id && ['connecting', 'connected'].includes(peer.connection.connectionState)) return
    part()
    become('connecting')
    if (!calls) return
    peer = makePeer(id, newId(), true)
    await offer(peer, send)
  }

  const makePeer = (id, call, calls) => {
    const made = openPeer({ id, call, iceServers, send, onRemote })
    const { connection } = made
    connection.onconnectionstatechange = () => {
      if (peer?.connection !== connection) return
      if (connection.connectionState === 'connected') become('connected')
      if (connection.connectionState === 'disconnected') become('connecting')
      if (connection.connectionState === 'failed' && calls) void offer(peer, send, { iceRestart: true })
      if (connection.connectionState === 'failed' && !calls) become('lost')
    }
    if (calls)
      for (const kind of ['audio', 'video'])
        connection.addTransceiver(trackOf(kind) ?? kind, { direction: 'sendrecv', streams: [own] })
    return made
  }

  const understand = async ({ from, data }) => {
    if (peer?.call !== data.call) {
      if (data.description?.type !== 'offer') return
      part()
      peer = makePeer(from, data.call, false)
      become('connecting')
    }
    if (data.candidate) return reach(peer, data.candidate)
    if (!data.description) return
    await describe(peer, data.description)
    if (data.description.type === 'offer') await answer(peer, send, trackOf)
  }

  const part = (next) => {
    peer?.connection.close()
    peer = undefined
    if (!next) return
    onRemote(null)
    become(next)
  }

  const leave = () => {
    part()
    socket.close()
  }

  const socket = keepSocket(`${url}?member=${newId()}`, {
    hear,
    // Sound and picture continue without the socket; only an unconnected member has to wait.
    onLost: () => state !== 'connected' && state !== 'full' && become('lost'),
  })
  return {
    leave,
    /** Continues with other devices. */
    use: (next) => {
      own = next
      for (const { sender, receiver } of peer?.connection.getTransceivers() ?? [])
        void sender.replaceTrack(trackOf(receiver.track.kind))
    },
  }
}

/** Opens a connection to another member. `call` names it: messages of an earlier connection of the same two are ignored. */
function openPeer({ id, call, iceServers, send, onRemote }) {
  const connection = new RTCPeerConnection({ iceServers })
  const remote = new MediaStream()
  connection.onicecandidate = ({ candidate }) => candidate && send(id, { call, candidate })
  connection.ontrack = ({ track }) => {
    remote.addTrack(track)
    onRemote(remote)
  }
  return { id, call, connection, waiting: [] }
}

async function offer({ id, call, connection }, send, options) {
  await connection.setLocalDescription(await connection.createOffer(options))
  send(id, { call, description: connection.localDescription })
}

async function answer({ id, call, connection }, send, trackOf) {
  for (const transceiver of connection.getTransceivers()) {
    transceiver.direction = 'sendrecv'
    await transceiver.sender.replaceTrack(trackOf(transceiver.receiver.track.kind))
  }
  await connection.setLocalDescription()
  send(id, { call, description: connection.localDescription })
}

/** Takes a way to the other; one that comes before their description waits for it. */
function reach({ connection, waiting }, candidate) {
  return connection.remoteDescription
    ? connection.addIceCandidate(candidate).catch(() => undefined)
    : void waiting.push(candidate)
}

/** Takes the other's description, and then the ways that came before it. */
async function describe({ connection, waiting }, description) {
  await connection.setRemoteDescription(description)
  for (const candidate of waiting.splice(0)) await connection.addIceCandidate(candidate).catch(() => undefined)
}

/** Keeps a socket to a room, and connects it anew whenever it is lost, until `close` or until the room refuses the member for good. */
function keepSocket(address, { hear, onLost }) {
  let socket
  let isOver = false
  let pauseMs = firstPauseMs
  const connect = () => {
    socket = new WebSocket(address)
    socket.addEventListener('message', ({ data }) => void hear(JSON.parse(data)))
    socket.addEventListener('close', ({ code }) => {
      if (isOver || finalCodes.includes(code)) return
      onLost()
      setTimeout(connect, (pauseMs = Math.min(pauseMs * 2, pauseMsMax)))
    })
  }
  connect()
  return {
    send: (message) => socket.readyState === WebSocket.OPEN && socket.send(JSON.stringify(message)),
    /** The next loss is the first one again. */
    isWell: () => {
      pauseMs = firstPauseMs
    },
    close: () => {
      isOver = true
      socket.close()
    },
  }
}
