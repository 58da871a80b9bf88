import { useEffect, useRef, type RefObject } from 'react'

/**
 * Gives the focus to a place once what was open there is gone and took the focus with it. Otherwise it falls to the page, from whose
 * beginning people without a mouse would go on.
 */
export function useFocusReturn<Place extends HTMLElement>(isOpen: boolean): RefObject<Place | null> {
  const place = useRef<Place>(null)
  const wasOpen = useRef(isOpen)
  useEffect(() => {
    if (wasOpen.current && !isOpen && document.activeElement === document.body) place.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen])
  return place
}
