import { useEffect, useState } from 'react'

/**
 * Returns the token of a link, which stands behind the `#`, and a way to forget it. The token is taken out of the address:
 * neither the history of the browser nor a screenshot keeps it.
 */
export function useLinkToken(): readonly [string | undefined, () => void] {
  const [token, setToken] = useState(takeToken)
  useEffect(() => {
    const takeNext = () => setToken((current) => takeToken() ?? current)
    window.addEventListener('hashchange', takeNext)
    return () => window.removeEventListener('hashchange', takeNext)
  }, [])
  return [token, () => setToken(undefined)]
}

function takeToken(): string | undefined {
  const token = window.location.hash.slice(1)
  if (token === '') return undefined
  window.history.replaceState(window.history.state, '', window.location.pathname)
  return token
}
