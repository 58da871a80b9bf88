import { Link } from '@tanstack/react-router'
import links from '../../records/record-link.module.css'

/** Returns a link to a colleague; nothing when there is none, or the person may not see them. */
export function personLink(id: string | null, people: ReadonlyMap<string, string>) {
  return id !== null && people.has(id) ? (
    <Link to="/people/$id" params={{ id }} className={links.link}>
      {people.get(id)}
    </Link>
  ) : null
}

/** Returns a link to a department; nothing when there is none. */
export function departmentLink(department: { readonly id: string; readonly name: string } | undefined) {
  return department ? (
    <Link to="/departments/$id" params={{ id: department.id }} className={links.link}>
      {department.name}
    </Link>
  ) : null
}
