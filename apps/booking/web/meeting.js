// The pane that says which meeting it is, and the links that put it into a calendar.
import { avatarOf, element } from './ui.js'

const shapes = {
  clock: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18m0 4v5l3 2',
  video: 'M4 7a1 1 0 0 1 1-1h9a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1zm11 3.5 5-3v9l-5-3',
  day: 'M5 6a1 1 0 0 1 1-1h12a1 1 0 0 1 1 1v13a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1zm0 4h14M8 3v4m8-4v4',
  globe: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M3.5 9h17m-17 6h17M12 3c-5 6-5 12 0 18m0-18c5 6 5 12 0 18',
}

function icon(name) {
  const [svg, path] = ['svg', 'path'].map((tag) => document.createElementNS('http://www.w3.org/2000/svg', tag))
  svg.setAttribute('viewBox', '0 0 24 24')
  svg.setAttribute('aria-hidden', 'true')
  svg.setAttribute('class', 'icon-of-fact')
  path.setAttribute('d', shapes[name])
  svg.append(path)
  return svg
}

/**
 * Makes the region "Meeting". `time` is the chosen one and `former` the one that it replaces: `{ startAt, endAt, zone }`.
 * `title` is a heading above the name of the meeting; `isMain` says that the name is the heading of the page.
 */
export function meetingPane(ui, { link, time, former, title, isMain = false }) {
  const { texts } = ui
  const { name, description, durationMin, organizer, showAvatar = true, brand } = link
  const fact = (shape, ...words) => element('li', {}, icon(shape), element('span', {}, ...words))
  const range = ({ startAt, endAt, zone }) => ui.range(startAt, endAt, zone)
  return element(
    'section',
    { class: 'meeting', 'aria-label': texts.meeting },
    brand?.logo && element('img', { class: 'logo', src: brand.logo, alt: brand.companyName ?? '' }),
    !brand?.logo && brand?.companyName && element('p', { class: 'company' }, brand.companyName),
    title && ui.heading(0, { tabindex: '-1' }, title),
    avatarOf({ showAvatar, organizer }),
    organizer.name && element('p', { class: 'organizer' }, organizer.name),
    ui.heading(isMain ? 0 : 1, { class: 'name' }, name),
    element(
      'ul',
      { class: 'facts' },
      fact('clock', ui.duration(durationMin)),
      fact('video', texts.place),
      (time || former) &&
        fact(
          'day',
          former && element('s', {}, element('span', { class: 'quiet' }, `${texts.formerTime} `), range(former)),
          former && time && element('br'),
          time && element('strong', {}, range(time)),
        ),
    ),
    description && element('p', { class: 'description' }, description),
  )
}

/** Returns the links that put a booked meeting into the guest's calendar. */
export function calendarLinks(ui, { name, startAt, endAt, joinUrl, manageUrl }) {
  const compact = (instant) => new Date(instant).toISOString().replaceAll(/[-:]|\.\d{3}/g, '')
  const details = `${ui.texts.joinCall}: ${joinUrl}\n${ui.texts.manage}: ${manageUrl}`
  const google = new URLSearchParams({
    action: 'TEMPLATE',
    text: name,
    dates: `${compact(startAt)}/${compact(endAt)}`,
    details,
    location: joinUrl,
  })
  const outlook = new URLSearchParams({
    path: '/calendar/action/compose',
    rru: 'addevent',
    subject: name,
    startdt: startAt,
    enddt: endAt,
    body: details,
    location: joinUrl,
  })
  const away = { class: 'button', target: '_blank', rel: 'noreferrer' }
  return element(
    'div',
    { class: 'row', role: 'group', 'aria-label': ui.texts.addToCalendar },
    element('a', { ...away, href: `https://calendar.google.com/calendar/render?${google}` }, 'Google Calendar'),
    element('a', { ...away, href: `https://outlook.live.com/calendar/0/deeplink/compose?${outlook}` }, 'Outlook'),
    element('a', { class: 'button', href: `${manageUrl}.ics` }, ui.texts.downloadIcs),
  )
}
