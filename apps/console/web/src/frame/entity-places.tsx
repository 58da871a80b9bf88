import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useSession } from '../base/session.ts'
import { customEntitiesQuery } from '../records/custom-entities.ts'
import { Icon } from '../shell/icons.tsx'

interface EntityPlacesProps {
  readonly className: string | undefined
  readonly groupClassName: string | undefined
  onGo(): void
}

/** The way to the records of every custom entity that the person sees, for the navigation. */
export function EntityPlaces({ className, groupClassName, onGo }: EntityPlacesProps) {
  const { may } = useSession()
  const { data = [] } = useQuery(customEntitiesQuery)
  const seen = data.filter(({ entityType }) => may(`VIEW_${entityType}`))
  if (seen.length === 0) return null
  return (
    <div role="group" aria-label="Records">
      <div className={groupClassName} aria-hidden="true">
        Records
      </div>
      {seen.map(({ key, labels }) => (
        <Link
          key={key}
          to="/records/$key"
          params={{ key }}
          search={{}}
          className={className}
          activeOptions={{ includeSearch: false }}
          onClick={onGo}
        >
          <Icon name="records" />
          {labels.plural}
        </Link>
      ))}
    </div>
  )
}
