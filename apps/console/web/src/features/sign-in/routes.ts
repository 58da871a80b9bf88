import { createRoute } from '@tanstack/react-router'
import { root } from '../../frame/routes.tsx'
import { SignInPage } from './sign-in-page.tsx'

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  validateSearch: ({ next }): { next?: string } => (typeof next === 'string' ? { next } : {}),
  component: SignInPage,
})

/** The pages of the sign-in by address. */
export const signInRoutes = [login] as const
