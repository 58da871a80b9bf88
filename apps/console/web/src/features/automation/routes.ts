import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { signedIn } from '../../frame/routes.tsx'
import { readPage } from '../../records/address-parts.ts'

const workflows = createRoute({
  getParentRoute: () => signedIn,
  path: '/automation/workflows',
  validateSearch: readPage,
  component: lazyRouteComponent(() => import('./workflows-page.tsx'), 'WorkflowsPage'),
})

const workflow = createRoute({
  getParentRoute: () => signedIn,
  path: '/automation/workflows/$id',
  component: lazyRouteComponent(() => import('./workflow-page.tsx'), 'WorkflowPage'),
})

const run = createRoute({
  getParentRoute: () => signedIn,
  path: '/automation/runs/$id',
  component: lazyRouteComponent(() => import('./run-page.tsx'), 'RunPage'),
})

const rules = createRoute({
  getParentRoute: () => signedIn,
  path: '/automation/rules',
  validateSearch: readPage,
  component: lazyRouteComponent(() => import('./rules-page.tsx'), 'RulesPage'),
})

const rule = createRoute({
  getParentRoute: () => signedIn,
  path: '/automation/rules/$id',
  component: lazyRouteComponent(() => import('./rule-page.tsx'), 'RulePage'),
})

/** The pages of automation by address. */
export const automationRoutes = [workflows, workflow, run, rules, rule] as const
