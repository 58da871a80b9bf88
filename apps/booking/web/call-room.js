// Two browsers in one room: messages over a WebSocket, sound and picture directly between the two (WebRTC).

const firstPauseMs = 500
const pauseMsMax = 5_000
const finalCodes = [4403, 4404]

/**
 * Joins a room and stays in it, over lost connections too, until `leave`.
 * `onState` receives `waiting`, `connecting`, `connected`, `left`, `lost` or `full`; `onRemote` receives the other's
 * stream.
 */
export function joinRoom({ url, stream, onState, onRemote, onClosed }) {
  const member = crypto.randomUUID()
  let socket
  let peer
  let own = stream
  let iceServers = []
  let isOver = false
  let pauseMs = firstPauseMs
  let state = ''

  const become = (next) => {
    if (next !== state) onState((state = next))
  }
  const send = (to, data) => socket.readyState === WebSocket.OPEN && socket.send(JSON.stringify({ to, data }))
  const trackOf = (kind) => own.getTracks().find((track) => track.kind === kind) ?? null

  const connect = () => {
    socket = new WebSocket(`${url}?member=${member}`)
    socket.addEventListener('message', ({ data }) => void hear(JSON.parse(data)))
    socket.addEventListener('close', ({ code }) => {
      if (isOver || finalCodes.includes(code)) return
      // Sound and picture continue without the socket; only an unconnected member has to wait.
      if (state !== 'connected' && state !== 'full') become('lost')
      setTimeout(connect, (pauseMs = Math.min(pauseMs * 2, pauseMsMax)))
    })
  }

  const hear = async (told) => {
    if (told.type === 'welcome') {
      pauseMs = firstPauseMs
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
    peer = makePeer(id, crypto.randomUUID(), true)
    await offer()
  }

  /** `call` names the connection: messages of an earlier connection of the same two are ignored. */
  const makePeer = (id, call, calls) => {
    const connection = new RTCPeerConnection({ iceServers })
    const remote = new MediaStream()
    connection.onicecandidate = ({ candidate }) => candidate && send(id, { call, candidate })
    connection.ontrack = ({ track }) => {
      remote.addTrack(track)
      onRemote(remote)
    }
    connection.onconnectionstatechange = () => {
      if (peer?.connection !== connection) return
      if (connection.connectionState === 'connected') become('connected')
      if (connection.connectionState === 'disconnected') become('connecting')
      if (connection.connectionState === 'failed' && calls) void offer({ iceRestart: true })
      if (connection.connectionState === 'failed' && !calls) become('lost')
    }
    if (calls)
      for (const kind of ['audio', 'video'])
        connection.addTransceiver(trackOf(kind) ?? kind, { direction: 'sendrecv', streams: [own] })
    return { id, call, connection, waiting: [] }
  }

  const offer = async (options) => {
    const { id, call, connection } = peer
    await connection.setLocalDescription(await connection.createOffer(options))
    send(id, { call, description: connection.localDescription })
  }

  const understand = async ({ from, data }) => {
    if (peer?.call !== data.call) {
      if (data.description?.type !== 'offer') return
      part()
      peer = makePeer(from, data.call, false)
      become('connecting')
    }
    const { connection, waiting } = peer
    if (data.candidate)
      return connection.remoteDescription
        ? connection.addIceCandidate(data.candidate).catch(() => undefined)
        : void waiting.push(data.candidate)
    if (!data.description) return
    await connection.setRemoteDescription(data.description)
    for (const candidate of waiting.splice(0)) await connection.addIceCandidate(candidate).catch(() => undefined)
    if (data.description.type === 'offer') await answer()
  }

  const answer = async () => {
    const { id, call, connection } = peer
    for (const transceiver of connection.getTransceivers()) {
      transceiver.direction = 'sendrecv'
      await transceiver.sender.replaceTrack(trackOf(transceiver.receiver.track.kind))
    }
    await connection.setLocalDescription()
    send(id, { call, description: connection.localDescription })
  }

  const part = (next) => {
    peer?.connection.close()
    peer = undefined
    if (!next) return
    onRemote(null)
    become(next)
  }

  const leave = () => {
    isOver = true
    part()
    socket.close()
  }

  connect()
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
