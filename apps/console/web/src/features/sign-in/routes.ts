import { createRoute, redirect } from '@tanstack/react-router'
import { root } from '../../frame/routes.tsx'
import { SignInPage } from './sign-in-page.tsx'

interface SignInSearch {
  /** The path to open afterwards. */
  readonly next?: string
  /** The reason why a sign-in with an identity provider failed. */
  readonly error?: string
}

const readSignIn = ({ next, error }: Readonly<Record<string, unknown>>): SignInSearch => ({
  ...(typeof next === 'string' ? { next } : {}),
  ...(typeof error === 'string' ? { error } : {}),
})

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: readSignIn,
  component: SignInPage,
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

/** The pages of the sign-in by address. */
export const signInRoutes = [signIn, login] as const
