import { schema } from '@crm/db'
import { sql } from 'drizzle-orm'

const { employees } = schema

/** First and last name, as far as they are known. */
export const fullNames = sql`coalesce(${employees.firstName}, '') || ' ' || coalesce(${employees.lastName}, '')`

/** The shown name of a colleague: the name, else the address. */
export const shownName = sql<string>`coalesce(nullif(trim(${fullNames}), ''), ${employees.email})`
