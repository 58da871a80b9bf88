// Times in the zone of whoever looks; the page looks again when the room opens.
const page = JSON.parse(document.getElementById('page').textContent)
const format = new Intl.DateTimeFormat(page.language, {
  weekday: 'long', day: 'numeric', month: 'long', hour: 'numeric', minute: '2-digit', hourCycle: page.timeFormat === '12h' ? 'h12' : 'h23', timeZoneName: 'short',
})
for (const time of document.querySelectorAll('time')) time.textContent = format.format(new Date(time.dateTime))

const longestWaitMs = 3_600_000
if (page.opensAt) setTimeout(() => location.reload(), Math.min(Math.max(new Date(page.opensAt) - Date.now(), 1_000), longestWaitMs))
