// Plain JavaScript, because `npm start` shows its first step before any dependency is installed.

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']

/** Shows the steps of a start on a terminal, each with its time. Elsewhere it shows nothing, so that only results are printed. */
export function createProgress(stream = process.stdout) {
  return stream.isTTY
    ? liveProgress(stream)
    : { step: (_title, work) => work(() => undefined), say: (line) => void stream.write(`${line}\n`) }
}

function liveProgress(stream) {
  const running = new Map()
  let frame = 0
  let timer

  const clear = () => stream.write('\r\u001B[K')
  const draw = () => {
    clear()
    if (running.size === 0) return
    const parts = [...running].map(([title, { startedAt, detail }]) =>
      [title, detail, seconds(startedAt)].filter(Boolean).join(' '),
    )
    stream.write(`${frames[frame++ % frames.length]} ${parts.join(' · ')}`.slice(0, stream.columns - 1))
  }
  const say = (line) => {
    clear()
    stream.write(`${line}\n`)
    draw()
  }
  const end = (title) => {
    running.delete(title)
    if (running.size === 0) clearInterval(timer)
  }

  return {
    say,
    step: async (title, work) => {
      const startedAt = Date.now()
      if (running.size === 0) timer = setInterval(draw, 100)
      running.set(title, { startedAt, detail: '' })
      draw()
      try {
        const result = await work((done, of) =>
          running.set(title, { startedAt, detail: `${Math.floor((100 * done) / of)} %` }),
        )
        end(title)
        say(`✓ ${title}  ${seconds(startedAt)}`)
        return result
      } catch (error) {
        end(title)
        say(`✗ ${title}  ${seconds(startedAt)}`)
        throw error
      }
    },
  }
}

/** Returns the time since a moment, such as `3.6 s`. */
export function seconds(startedAt) {
  return `${((Date.now() - startedAt) / 1_000).toFixed(1)} s`
}
