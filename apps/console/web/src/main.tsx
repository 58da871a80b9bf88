import '@fontsource-variable/inter/wght.css'
import './base/mantine-styles.ts'
import './base/console.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { isBeforeSignIn } from './base/next-path.ts'
import { queryClient, whenSignedOut } from './base/queries.ts'
import { language } from './base/texts.ts'
import { cssVariables, theme } from './base/theme.ts'
import { hasUnsavedText, watchTyping } from './base/unsaved.ts'
import { router } from './router.tsx'
import { DiscardQuestion } from './shell/discarding.tsx'
import { Notices } from './shell/notices.tsx'
import { askToSignInAgain, SignInAgain } from './shell/sign-in-again.tsx'

whenSignedOut(() => {
  const { pathname, href } = router.state.location
  if (isBeforeSignIn(pathname)) return
  if (hasUnsavedText()) askToSignInAgain()
  else void router.navigate({ to: '/sign-in', search: { next: href }, replace: true })
})

watchTyping()

document.documentElement.lang = language

const root = document.getElementById('root')
if (root === null) throw new Error('The page has no place for the console.')

createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <Notices />
        <DiscardQuestion />
        <SignInAgain />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)
