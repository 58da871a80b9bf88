import { Avatar } from './avatar.tsx'
import classes from './person-name.module.css'

interface PersonNameProps {
  /** The person in the workspace, whose picture is shown; none for anybody else. */
  readonly id: string | null
  readonly name: string
}

/** A person by picture and name, in a line of a table. */
export function PersonName({ id, name }: PersonNameProps) {
  return (
    <span className={classes.person}>
      <Avatar name={name} personId={id} size={20} />
      <bdi>{name}</bdi>
    </span>
  )
}
