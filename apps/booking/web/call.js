// The entrance of a video call, and its room: the visible part. call-room.js connects the two browsers.
import { joinRoom } from './call-room.js'
import { applyBrand, createUi, element, readPage } from './ui.js'

const page = readPage()
const ui = createUi(page)
const { texts } = ui
const content = element('div')
const longestWaitMs = 3_600_000

/** The present camera and microphone: one stream, whose tracks change with the devices. */
const own = { stream: new MediaStream(), isMuted: false, isCameraOff: false, camera: undefined, microphone: undefined }

async function useDevices() {
  const wish = (id) => (id === '' ? false : id === undefined ? true : { deviceId: { exact: id } })
  const ask = (kinds) => navigator.mediaDevices.getUserMedia(kinds)
  const both = { video: wish(own.camera), audio: wish(own.microphone) }
  let stream
  try {
    stream = both.video || both.audio ? await ask(both) : new MediaStream()
  } catch {
    // One of the two may be missing or refused; the other is still useful.
    const parts = await Promise.allSettled([ask({ audio: both.audio }), ask({ video: both.video })])
    stream = new MediaStream(parts.flatMap(({ value }) => value?.getTracks() ?? []))
    if (stream.getTracks().length === 0) ui.say(texts.callNoDevices, true)
  }
  for (const track of own.stream.getTracks()) {
    track.stop()
    own.stream.removeTrack(track)
  }
  for (const track of stream.getTracks()) own.stream.addTrack(track)
  applySwitches()
}

function applySwitches() {
  for (const track of own.stream.getAudioTracks()) track.enabled = !own.isMuted
  for (const track of own.stream.getVideoTracks()) track.enabled = !own.isCameraOff
}

const video = (stream, className, label) =>
  Object.assign(element('video', { class: className, playsinline: true, autoplay: true, 'aria-label': label }), {
    srcObject: stream,
    muted: className === 'own',
  })

async function deviceChoices(onChange) {
  const devices = await navigator.mediaDevices.enumerateDevices()
  const choice = (key, kind, label) => {
    const used = own.stream
      .getTracks()
      .find((track) => `${track.kind}input` === kind)
      ?.getSettings().deviceId
    const options = devices
      .filter((device) => device.kind === kind && device.deviceId !== '')
      .map(({ deviceId, label: name }, at) =>
        element('option', { value: deviceId, selected: deviceId === used }, name || `${label} ${at + 1}`),
      )
    const onchange = async (event) => {
      own[key] = event.target.value
      await useDevices()
      onChange()
    }
    return [
      element('label', { for: key }, label),
      element(
        'select',
        { id: key, onchange },
        options,
        element('option', { value: '', selected: used === undefined }, texts.callNone),
      ),
    ]
  }
  return [
    ...choice('camera', 'videoinput', texts.callCamera),
    ...choice('microphone', 'audioinput', texts.callMicrophone),
  ]
}

/**
 * Shows how loud the microphone is, ten times a second while it is on the page. A meter that nobody has heard tells
 * nothing, so its value is read aloud only when asked for.
 */
function levelMeter() {
  const bar = element('span')
  const meter = element(
    'div',
    {
      class: 'level',
      role: 'meter',
      'aria-label': texts.callLevel,
      'aria-valuemin': '0',
      'aria-valuemax': '100',
      'aria-valuenow': '0',
    },
    bar,
  )
  const [track] = own.stream.getAudioTracks()
  if (!track) return meter
  const context = new AudioContext()
  const analyser = context.createAnalyser()
  const samples = new Float32Array(analyser.fftSize)
  context.createMediaStreamSource(new MediaStream([track])).connect(analyser)
  const timer = setInterval(() => {
    if (!meter.isConnected) {
      clearInterval(timer)
      return void context.close()
    }
    analyser.getFloatTimeDomainData(samples)
    const loudness = Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length)
    const percent = Math.min(100, Math.round(loudness * 400))
    bar.style.transform = `scaleX(${percent / 100})`
    meter.setAttribute('aria-valuenow', String(percent))
  }, 100)
  return meter
}

/** Makes a button that switches the microphone or the camera; its key works everywhere but in fields. */
function switchButton(label, key, shortcut) {
  const button = element(
    'button',
    { type: 'button', 'aria-pressed': String(own[key]), 'aria-keyshortcuts': shortcut, 'data-key': shortcut },
    label,
    element('kbd', { 'aria-hidden': 'true' }, shortcut),
  )
  button.addEventListener('click', () => {
    own[key] = !own[key]
    button.setAttribute('aria-pressed', String(own[key]))
    applySwitches()
  })
  return button
}

const switches = () => [
  switchButton(texts.callMute, 'isMuted', 'm'),
  switchButton(texts.callCameraOff, 'isCameraOff', 'v'),
]

addEventListener('keydown', ({ key, target, altKey, ctrlKey, metaKey, repeat }) => {
  if (altKey || ctrlKey || metaKey || repeat || target.matches?.('input, select, textarea')) return
  content.querySelector(`[data-key="${CSS.escape(key.toLowerCase())}"]`)?.click()
})

async function showLobby(word = '') {
  ui.say(word)
  if (!navigator.mediaDevices) ui.say(texts.callNoDevices, true)
  else await useDevices()
  const enter = element('button', { type: 'button', class: 'main', onclick: () => void showRoom() }, texts.callEnter)
  const choices = navigator.mediaDevices ? await deviceChoices(() => void showLobby()) : []
  content.replaceChildren(
    element(
      'div',
      { class: 'lobby' },
      element(
        'div',
        {},
        video(own.stream, 'own', texts.callYou),
        element('div', { class: 'row controls' }, switches()),
      ),
      element('div', { class: 'devices' }, choices, levelMeter(), enter),
    ),
  )
  enter.focus()
}

const words = () => ({
  waiting: texts.callWaiting,
  connecting: texts.callConnecting,
  connected: texts.callConnected,
  left: texts.callLeft,
  lost: texts.callLost,
  full: texts.callFull,
})

async function showRoom() {
  const remote = video(null, 'remote', texts.callOther)
  const room = joinRoom({
    url: `${location.origin.replace(/^http/, 'ws')}/call/${page.token}/socket`,
    stream: own.stream,
    onState: (state) => ui.say(words()[state] ?? '', state === 'full'),
    onRemote: (stream) => {
      remote.srcObject = stream
    },
    onClosed: (state) => end(state === 'cancelled' ? texts.cancelled : texts.callOver),
  })
  const leave = () => {
    room.leave()
    for (const track of own.stream.getTracks()) track.stop()
  }
  const end = (word) => {
    leave()
    ui.say(word)
    content.replaceChildren()
  }
  const again = () => {
    leave()
    ui.say(texts.callEnded)
    const button = element(
      'button',
      { type: 'button', class: 'main', onclick: () => void showLobby() },
      texts.callAgain,
    )
    content.replaceChildren(element('div', { class: 'row' }, button))
    button.focus()
  }
  const settings = element(
    'details',
    {},
    element('summary', {}, texts.callDevices),
    navigator.mediaDevices ? await deviceChoices(() => room.use(own.stream)) : [],
  )
  content.replaceChildren(
    element('div', { class: 'stage' }, remote, video(own.stream, 'own', texts.callYou)),
    element(
      'div',
      { class: 'row controls' },
      switches(),
      element('button', { type: 'button', class: 'leave', onclick: again }, texts.callLeave),
    ),
    settings,
  )
}

function showTimes() {
  for (const time of document.querySelectorAll('time'))
    time.textContent = ui.full(time.dateTime, Intl.DateTimeFormat().resolvedOptions().timeZone)
}

applyBrand(document.documentElement, page.primaryColor)
showTimes()
if (page.opensAt)
  setTimeout(() => location.reload(), Math.min(Math.max(new Date(page.opensAt) - Date.now(), 1_000), longestWaitMs))
if (page.hasRoom) {
  document.getElementById('content').replaceChildren(ui.said, content)
  void showLobby()
}
