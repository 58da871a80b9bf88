import { useSession } from '../base/session.ts'
import { notifyRefusal } from './notices.tsx'
import { usePreferences } from './use-preferences.ts'

interface Pin {
  readonly isPinned: boolean
  toggle(): void
}

const none: readonly string[] = []

/** Returns the paths that a person has pinned to the navigation, in order. */
export function usePinned(): readonly string[] {
  return useSession().person.pinned ?? none
}

/** Returns whether a path is pinned to the person's navigation, and the function that pins it or takes it off. */
export function usePin(path: string): Pin {
  const pinned = usePinned()
  const { change } = usePreferences()
  const isPinned = pinned.includes(path)
  return {
    isPinned,
    toggle: () => {
      const next = isPinned ? pinned.filter((one) => one !== path) : [...pinned, path]
      change({ pinned: next }, { onError: notifyRefusal })
    },
  }
}
