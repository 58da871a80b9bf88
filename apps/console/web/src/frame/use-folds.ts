import { useState } from 'react'

const keyFor = (personId: string) => `crm:folds:${personId}`

function unfoldedOf(personId: string): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyFor(personId)) ?? '[]')
    return Array.isArray(kept) ? kept.map(String) : []
  } catch {
    return []
  }
}

/** Returns whether a person has unfolded a part of the navigation, as this browser remembers it. */
export function useFolds(personId: string, name: string): readonly [boolean, (isUnfolded: boolean) => void] {
  const [isUnfolded, setUnfolded] = useState(() => unfoldedOf(personId).includes(name))
  const set = (next: boolean) => {
    setUnfolded(next)
    const others = unfoldedOf(personId).filter((one) => one !== name)
    try {
      localStorage.setItem(keyFor(personId), JSON.stringify(next ? [...others, name] : others))
    } catch {
      // A browser without storage begins folded.
    }
  }
  return [isUnfolded, set]
}
