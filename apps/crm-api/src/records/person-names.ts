import { schema } from '@crm/db'
import { sql } from 'drizzle-orm'

const { employees } = schema

/** First and last name, as far as they are there. */
export const fullNames = sql`coalesce(${employees.firstName}, '') || ' ' || coalesce(${employees.lastName}, '')`

/** How a colleague is called: by name, else by the address. */
export const shownName = sql<string>`coalesce(nullif(trim(${fullNames}), ''), ${employees.email})`
