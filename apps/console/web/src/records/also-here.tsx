import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { settings } from '../base/api.ts'
import { inDigits, inList, t } from '../base/texts.ts'
import { Avatar } from '../shell/avatar.tsx'
import classes from './also-here.module.css'
import type { RecordPlace } from './record-place.ts'

/** Whoever only passes by a record is not shown on it. */
const stayMs = 2_000
const tellEveryMs = 15_000
const shownMax = 3

const paramsOf = ({ entityType, entityId }: RecordPlace) => ({ entityType, id: entityId })

const presenceQuery = (record: RecordPlace) =>
  queryOptions({
    queryKey: ['presence', record.entityType, record.entityId],
    queryFn: async ({ signal }) => (await settings.presence.tell({ params: paramsOf(record), signal })).data.others,
    // A tab that nobody sees says nothing, and its person counts as gone after a while.
    refetchInterval: tellEveryMs,
    refetchOnWindowFocus: 'always',
    gcTime: 0,
    retry: false,
  })

/** Tells the others that the person looks at a record, and shows who else does. */
export function AlsoHere({ record }: { readonly record: RecordPlace }) {
  const { entityType, entityId } = record
  const place = `${entityType}:${entityId}`
  const [stayedAt, setStayedAt] = useState<string>()
  useEffect(() => {
    let isTold = false
    const timer = window.setTimeout(() => {
      isTold = true
      setStayedAt(place)
    }, stayMs)
    return () => {
      window.clearTimeout(timer)
      // A lost goodbye costs nothing: the person counts as gone after a while.
      if (isTold) void settings.presence.leave({ params: { entityType, id: entityId } }).catch(() => undefined)
    }
  }, [place, entityType, entityId])
  const { data: others = [] } = useQuery({ ...presenceQuery(record), enabled: stayedAt === place })
  if (others.length === 0) return null
  const names = inList(others.map(({ name }) => name))
  const label = t('Also here: {names}', { names })
  return (
    <span role="img" aria-label={label} title={label} className={classes.people}>
      {others.slice(0, shownMax).map(({ id, name }) => (
        <Avatar key={id} name={name} personId={id} />
      ))}
      {others.length > shownMax && <span className={classes.more}>+{inDigits(others.length - shownMax)}</span>}
    </span>
  )
}
