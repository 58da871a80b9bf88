import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import { allItems } from '../base/all-items.ts'
import { beside, crm } from '../base/api.ts'
import { shownName } from '../base/people.ts'
import { useSession } from '../base/session.ts'
import { foundRecordsQuery, titleOf } from './record-calls.ts'
import { useKinds, type Field, type Kind } from './record-kinds.ts'

/** A possible target of a reference. */
export interface Choice {
  readonly value: string
  readonly label: string
}

const peopleMax = 50
const staleTime = 60_000

const named = ({ id, name }: { readonly id: string; readonly name: string }): Choice => ({ value: id, label: name })
const everything = { page: 1, pageSize: 100 }

/** The lists that are read completely, with the permission to see them. */
const lists: Readonly<
  Record<string, { readonly needs: string; read(signal: AbortSignal): Promise<readonly Choice[]> }>
> = {
  LEAD_SOURCE: {
    needs: 'VIEW_REFERENCE_DATA',
    read: async (signal) => (await beside.crm.leadSources.list({ query: everything, signal })).items.map(named),
  },
  INDUSTRY: {
    needs: 'VIEW_REFERENCE_DATA',
    read: async (signal) =>
      (await allItems((page) => beside.crm.industries.list({ query: { page, pageSize: 100 }, signal }))).map(named),
  },
  DEPARTMENT: {
    needs: 'VIEW_DEPARTMENT',
    read: async (signal) =>
      (await allItems((page) => beside.crm.departments.list({ query: { page, pageSize: 100 }, signal }))).map(named),
  },
  PRODUCT_CATEGORY: {
    needs: 'VIEW_PRODUCT',
    read: async (signal) =>
      (await allItems((page) => beside.crm.productCategories.list({ query: { page, pageSize: 100 }, signal }))).map(
        named,
      ),
  },
  UNIT: {
    needs: 'VIEW_REFERENCE_DATA',
    read: async (signal) => (await beside.crm.units.list({ signal })).data.map(named),
  },
  TAX_RATE: {
    needs: 'VIEW_REFERENCE_DATA',
    read: async (signal) => (await beside.crm.taxRates.list({ signal })).data.map(named),
  },
  CURRENCY: {
    needs: 'VIEW_REFERENCE_DATA',
    read: async (signal) =>
      (await beside.crm.currencies.list({ signal })).data
        .filter(({ isActive }) => isActive)
        .map(({ code, name }) => ({ value: code, label: `${code} · ${name}` })),
  },
}

/** Reads all targets of a reference to a list, such as lead sources. */
export const listQuery = (references: string) =>
  queryOptions({
    queryKey: ['choices', references],
    queryFn: ({ signal }) => lists[references]?.read(signal) ?? [],
    staleTime,
  })

/** Whether people who have left can be chosen too, as in filters: their records are still theirs. */
export const WithPeopleWhoLeft = createContext(false)

const peopleQuery = (search: string, withLeft: boolean) =>
  queryOptions({
    queryKey: ['people', 'choices', search, withLeft],
    queryFn: async ({ signal }) => {
      const query = {
        search: search || undefined,
        limit: peopleMax,
        withLeft: withLeft ? ('true' as const) : undefined,
      }
      const { items } = await crm.employees.directory({ query, signal })
      return items.map((entry) => ({ value: entry.id, label: shownName(entry) }))
    },
    placeholderData: keepPreviousData,
    staleTime,
  })

/** Whether the targets of a reference are a list that is read completely, and that a person with these rights may see. */
export function isListFor(references: string, may: (permission: string) => boolean): boolean {
  const list = lists[references]
  return list !== undefined && may(list.needs)
}

/** Whether the API searches the targets of a field, because they may be too many to read completely. */
export function isSearched({ references }: Pick<Field, 'references'>): boolean {
  return references !== null && !(references in lists) && references !== 'STAGE' && references !== 'PIPELINE'
}

interface Asked {
  /** The kind of the target; an empty one reads nothing. */
  readonly references: string
  readonly kind: Kind
  /** The typed text, for targets that the API searches. */
  readonly search: string
  /** The pipeline whose stages can be chosen. */
  readonly pipelineId: string | null
}

/** Returns the choices that a text means: until the answer to it is there, those of the text before stay, and none that it does not mean. */
export function withinReach(choices: readonly Choice[], text: string): readonly Choice[] {
  const wanted = text.toLowerCase()
  return choices.filter(({ label }) => label.toLowerCase().includes(wanted))
}

/** Returns the possible targets of a reference, as far as this person may see them. */
export function useChoices({ references, kind, search, pipelineId }: Asked): readonly Choice[] {
  const { may, person } = useSession()
  const target = useKinds().find(({ key }) => key === references)
  const list = lists[references]
  const fromList = useQuery({ ...listQuery(references), enabled: list !== undefined && may(list.needs) }).data
  const isPerson = references === 'EMPLOYEE'
  const withLeft = useContext(WithPeopleWhoLeft)
  const people = useQuery({ ...peopleQuery(search, withLeft), enabled: isPerson && may('VIEW_EMPLOYEE') })
  const found = useQuery({ ...foundRecordsQuery(references, search), enabled: target !== undefined })
  if (references === 'PIPELINE') return kind.pipelines.filter(({ isActive }) => isActive).map(named)
  if (references === 'STAGE')
    return (kind.pipelines.find(({ id }) => id === pipelineId)?.stages ?? [])
      .filter(({ mappedStatus }) => mappedStatus !== 'CONVERTED')
      .map(named)
  if (isPerson) return withinReach(people.data ?? [named(person)], people.isPlaceholderData ? search : '')
  if (target) {
    const records = found.data?.items.map((record) => ({ value: record.id, label: titleOf(target, record) })) ?? []
    return withinReach(records, found.isPlaceholderData ? search : '')
  }
  return fromList ?? []
}
