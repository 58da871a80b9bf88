import classes from './avatar.module.css'
import { hueOf, initialsOf } from './initials.ts'

interface AvatarProps {
  readonly name: string
  /** The width in pixels. */
  readonly size?: number
  /** Whether it stands for a company or a thing; people are round. */
  readonly isSquare?: boolean
}

/** The initials of a person or a company in a colour of their own. The name stands beside it, so it is hidden from screen readers. */
export function Avatar({ name, size = 28, isSquare = false }: AvatarProps) {
  return (
    <span
      className={classes.avatar}
      data-hue={hueOf(name)}
      data-square={isSquare}
      style={{ width: size, height: size, fontSize: Math.max(10, Math.round(size * 0.4)) }}
      aria-hidden="true"
    >
      {initialsOf(name)}
    </span>
  )
}
