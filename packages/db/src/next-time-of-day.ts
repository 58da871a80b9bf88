import { sql, type SQL } from 'drizzle-orm'

/**
 * Returns SQL for the next moment at which the clocks of a time zone show a time of day, such as `09:00`. A time that the
 * clocks skip is an hour later on that day.
 */
export function nextTimeOfDay(time: SQL | string, timezone: SQL | string): SQL<string> {
  const on = (days: number) =>
    sql`((now() at time zone ${timezone})::date + ${days}::int + ${time}::time) at time zone ${timezone}`
  return sql<string>`case when ${on(0)} > now() then ${on(0)} else ${on(1)} end`
}
