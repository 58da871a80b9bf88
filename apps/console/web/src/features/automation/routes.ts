import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { signedIn } from '../../frame/routes.tsx'
import { readPage } from '../../records/address-parts.ts'

const list = createRoute({
  getParentRoute: () => signedIn,
  path: '/automation',
  validateSearch: readPage,
  component: lazyRouteComponent(() => import('./automation-page.tsx'), 'AutomationPage'),
})

const workflow = createRoute({
  getParentRoute: () => signedIn,
  path: '/automation/$id',
  validateSearch: ({ tab }: Readonly<Record<string, unknown>>) => (typeof tab === 'string' ? { tab } : {}),
  component: lazyRouteComponent(() => import('./workflow-page.tsx'), 'WorkflowPage'),
})

const run = createRoute({
  getParentRoute: () => signedIn,
  path: '/automation/runs/$id',
  component: lazyRouteComponent(() => import('./run-page.tsx'), 'RunPage'),
})

const rule = createRoute({
  getParentRoute: () => signedIn,
  path: '/automation/rules/$id',
  component: lazyRouteComponent(() => import('./rule-page.tsx'), 'RulePage'),
})

const webhooks = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings/webhooks',
  component: lazyRouteComponent(() => import('./webhooks-page.tsx'), 'WebhooksPage'),
})

/** Old addresses, which lead to the present ones. */
const moved = [
  ...(['/automation/workflows', '/automation/rules', '/automation/runs', '/automation/rules/new'] as const).map(
    (path) =>
      createRoute({
        getParentRoute: () => signedIn,
        path,
        beforeLoad: () => {
          throw redirect({ to: '/automation', search: {} })
        },
      }),
  ),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/automation/workflows/$id',
    beforeLoad: ({ params }) => {
      throw redirect({ to: '/automation/$id', params })
    },
  }),
]

/** The pages of automation by address. */
export const automationRoutes = [list, workflow, run, rule, webhooks, ...moved] as const
