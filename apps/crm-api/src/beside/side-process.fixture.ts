// A side process that follows the instructions of the test.
const held: unknown[] = []

const tricks: Readonly<Record<string, () => unknown>> = {
  'tell pid': () => process.pid,
  'tell environment': () => Object.keys(process.env),
  hang: () => {
    for (;;);
  },
  grow: () => {
    for (;;) held.push({ at: held.length })
  },
}

process.on('message', ({ work }: { work: string }) => {
  const rssBytes = work === 'swell' ? 10e9 : 1
  const trick = tricks[work]
  process.send?.(work === 'fail' ? { fault: 'as told', rssBytes } : { result: trick?.() ?? process.pid, rssBytes })
})
