import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { confirmedPath } from '../../domain/sign-in/provider-proof.ts'
import { root } from '../../frame/routes.tsx'
import type { WaitingStep } from './sign-in-steps.tsx'

interface SignInSearch {
  /** The path to open afterwards. */
  readonly next?: string
  /** The reason why a sign-in with an identity provider failed. */
  readonly error?: string
  /** The step that a sign-in with an identity provider goes on with. */
  readonly step?: WaitingStep
}

const readSignIn = ({ next, error, step }: Readonly<Record<string, unknown>>): SignInSearch => ({
  ...(typeof next === 'string' ? { next } : {}),
  ...(typeof error === 'string' ? { error } : {}),
  ...(step === 'SECOND_FACTOR' || step === 'ENROL' ? { step } : {}),
})

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: readSignIn,
  component: lazyRouteComponent(() => import('./sign-in-page.tsx'), 'SignInPage'),
})

/** The former address, which bookmarks may hold. */
const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  validateSearch: readSignIn,
  beforeLoad: ({ search }) => {
    throw redirect({ to: '/sign-in', search, replace: true })
  },
})

const invite = createRoute({
  getParentRoute: () => root,
  path: '/invite',
  component: lazyRouteComponent(() => import('./invite-page.tsx'), 'InvitePage'),
})

const reset = createRoute({
  getParentRoute: () => root,
  path: '/reset',
  component: lazyRouteComponent(() => import('./reset-page.tsx'), 'ResetPage'),
})

const confirmed = createRoute({
  getParentRoute: () => root,
  path: confirmedPath,
  component: lazyRouteComponent(() => import('./confirmed-page.tsx'), 'ConfirmedPage'),
})

/** The pages of the sign-in by address. */
export const signInRoutes = [signIn, login, invite, reset, confirmed] as const
