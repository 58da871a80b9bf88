import { useEffect, useState, type ComponentType } from 'react'
import { typeAhead } from './type-ahead.ts'

/** A part of a page whose code is loaded when it is first shown, or before that by `load`. */
export type Later<Props> = ComponentType<Props> & { load(): Promise<void> }

/**
 * Makes a component of one that is loaded later. Until then `Waiting` stands there; by default nothing does, and what a person types is kept
 * for the dialog or field that comes. Code that is there is drawn at once: React's own `lazy` would hold it back for a third of a second.
 */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Waiting: ComponentType<Props> = Typing,
): Later<Props> {
  let loaded: ComponentType<Props> | undefined
  const loadOnce = async () => {
    loaded ??= await load()
  }
  function LaterPart(props: Props) {
    const [Part, setPart] = useState(() => loaded)
    const isMissing = Part === undefined
    useEffect(() => {
      if (!isMissing) return
      const fail = (error: unknown) =>
        setPart(() => {
          throw error
        })
      loadOnce().then(() => setPart(() => loaded), fail)
    }, [isMissing])
    return Part ? <Part {...props} /> : <Waiting {...props} />
  }
  return Object.assign(LaterPart, { load: loadOnce })
}

function Typing() {
  useEffect(() => typeAhead(), [])
  return null
}
