import { useState } from 'react'
import { usePicture } from '../base/people.ts'
import classes from './avatar.module.css'
import { hueOf, initialsOf } from './initials.ts'

interface AvatarProps {
  readonly name: string
  /** The person in the workspace that it stands for, whose picture is shown; none for anybody and anything else. */
  readonly personId?: string | null | undefined
  /** The width in pixels. */
  readonly size?: number
  /** Whether it stands for a company or a thing; people are round. */
  readonly isSquare?: boolean
}

/**
 * The picture of a person, or the initials of a person or a company in a colour of their own. The initials stand below the picture too:
 * they are shown until it is loaded, and keep the line of text where it is. The name stands beside it, so it is hidden from screen readers.
 */
export function Avatar({ name, personId, size = 28, isSquare = false }: AvatarProps) {
  const picture = usePicture(personId)
  const [broken, setBroken] = useState<string | null>(null)
  return (
    <span
      className={classes.avatar}
      data-hue={hueOf(name)}
      data-square={isSquare}
      style={{ width: size, height: size, fontSize: Math.max(10, Math.round(size * 0.4)) }}
      aria-hidden="true"
    >
      {initialsOf(name)}
      {picture !== null && picture !== broken && (
        <img src={picture} alt="" className={classes.picture} draggable={false} onError={() => setBroken(picture)} />
      )}
    </span>
  )
}
