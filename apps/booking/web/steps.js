// The steps of a visit: which month, date, slot and zone are chosen, and whether the form or a dialog is open.

const names = ['month', 'date', 'slot', 'tz', 'action']

/**
 * Keeps the steps in the address of the page, so that Back undoes one, a reload keeps them, and a link leads to them.
 * `state` holds what no link should lead to, such as an open form.
 */
export function addressSteps() {
  let listener
  const now = () => {
    const query = new URLSearchParams(location.search)
    return { ...Object.fromEntries(names.map((name) => [name, query.get(name) ?? undefined])), ...history.state?.own }
  }
  const go = (change, { isForm = false, isInstead = false, focus } = {}) => {
    const address = new URL(location.href)
    for (const [name, value] of Object.entries(change))
      if (value === undefined) address.searchParams.delete(name)
      else address.searchParams.set(name, value)
    const depth = (history.state?.depth ?? 0) + (isInstead ? 0 : 1)
    history[isInstead ? 'replaceState' : 'pushState']({ depth, own: { isForm } }, '', address)
    return listener(now(), focus)
  }
  addEventListener('popstate', () => void listener(now()))
  // Another language leads to the same step.
  addEventListener('click', ({ target }) => {
    const link = target.closest?.('a[hreflang]')
    if (!link) return
    const address = new URL(location.href)
    address.searchParams.set('lang', link.hreflang)
    link.href = address
  })
  return {
    now,
    go,
    /** Undoes the last step; a page that was opened by a link to a later step goes to the given one. */
    back: (change) => (history.state?.depth > 0 ? history.back() : void go(change, { isInstead: true })),
    /** Leaves the time and the form out of the address, because they are booked. */
    forget: () => {
      const address = new URL(location.href)
      for (const name of ['date', 'slot']) address.searchParams.delete(name)
      history.replaceState({ depth: 0 }, '', address)
    },
    listen: (to) => {
      listener = to
    },
  }
}

/** Keeps the steps of a widget, whose address belongs to another website. */
export function ownSteps() {
  let listener
  const steps = [{}]
  const now = () => steps.at(-1)
  return {
    now,
    go: (change, { isForm = false, isInstead = false, focus } = {}) => {
      steps.splice(isInstead ? -1 : steps.length, 1, { ...now(), ...change, isForm })
      return listener(now(), focus)
    },
    back: () => {
      if (steps.length > 1) steps.pop()
      void listener(now())
    },
    forget: () => void steps.splice(0, steps.length, {}),
    listen: (to) => {
      listener = to
    },
  }
}
