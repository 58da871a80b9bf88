import { queryOptions } from '@tanstack/react-query'
import { beside } from '../../base/api.ts'
import { t } from '../../base/texts.ts'

/** A step with which a new workspace begins. */
export interface FirstStep {
  readonly label: string
  readonly to: string
  /** The permission that the step needs. */
  readonly needs: string
  isDone(): Promise<boolean>
}

const { crm, settings } = beside
const one = { page: 1, pageSize: 1 }
/** An import of a file with less than this is a try. */
const aloneMax = 1

/** The steps in order. */
export const firstSteps: readonly FirstStep[] = [
  {
    label: t('Add your first lead'),
    to: '/leads',
    needs: 'CREATE_LEAD',
    isDone: async () => (await crm.leads.list({ query: one })).total > 0,
  },
  {
    label: t('Move in from another program'),
    to: '/settings/import',
    needs: 'IMPORT_DATA',
    isDone: async () =>
      (await Promise.all([settings.migrations.list({ query: one }), settings.imports.list({ query: one })])).some(
        ({ total }) => total > 0,
      ),
  },
  {
    label: t('Invite your team'),
    to: '/settings/people',
    needs: 'MANAGE_USERS',
    isDone: async () => (await settings.users.list({ query: one })).total > aloneMax,
  },
  {
    label: t('Set up your pipeline'),
    to: '/settings/pipelines',
    needs: 'MANAGE_REFERENCE_DATA',
    isDone: async () => {
      const { items } = await crm.pipelines.list({ query: { pageSize: 50 } })
      return items.some(({ createdAt, updatedAt, stages }) =>
        [updatedAt, ...stages.map((stage) => stage.updatedAt)].some((at) => at > createdAt),
      )
    },
  },
  {
    label: t('Create a booking link'),
    to: '/booking/links',
    needs: 'MANAGE_BOOKING',
    isDone: async () => (await settings.bookingLinks.list({ query: one })).total > 0,
  },
]

/** Reads which of the steps are done. */
export const stepsQuery = (steps: readonly FirstStep[]) =>
  queryOptions({
    queryKey: ['first steps', steps.map(({ to }) => to)],
    queryFn: () => Promise.all(steps.map((step) => step.isDone())),
  })
