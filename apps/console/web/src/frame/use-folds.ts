import { useState } from 'react'
import { useSession } from '../base/session.ts'
import { usePreferences } from '../shell/use-preferences.ts'

/** Returns whether a person has unfolded a part of the navigation, as their account remembers it. */
export function useFolds(name: string): readonly [boolean, (isUnfolded: boolean) => void] {
  const kept = useSession().person.unfolded ?? []
  const [isUnfolded, setUnfolded] = useState(() => kept.includes(name))
  const { change } = usePreferences()
  const set = (next: boolean) => {
    setUnfolded(next)
    const others = kept.filter((one) => one !== name)
    // A fold that cannot be kept is one of this page alone.
    change({ unfolded: next ? [...others, name] : others })
  }
  return [isUnfolded, set]
}
