import { queryOptions } from '@tanstack/react-query'
import { settings } from '../../base/api.ts'

export type Factors = Awaited<ReturnType<typeof settings.secondFactors.list>>['data']

/** The second factors of the person who is signed in, or who signs in. */
export const factorsQuery = queryOptions({
  queryKey: ['factors'],
  queryFn: async ({ signal }) => (await settings.secondFactors.list({ signal })).data,
})
