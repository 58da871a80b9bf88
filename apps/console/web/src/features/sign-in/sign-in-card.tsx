import { Alert, Anchor, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { waysQuery } from '../../domain/sign-in/provider-queries.ts'
import { ColorSchemeButton } from '../../shell/color-scheme-button.tsx'
import { Icon } from '../../shell/icons.tsx'
import classes from './sign-in-card.module.css'
import { t } from '../../base/texts.ts'

interface SignInCardProps {
  readonly title: string
  readonly children: ReactNode
  /** Links below the card. */
  readonly below?: ReactNode
}

/** The frame of the pages before the sign-in. */
export function SignInCard({ title, children, below }: SignInCardProps) {
  const workspace = useQuery(waysQuery).data?.workspaceName
  useDocumentTitle(t('{title} · Workspace CRM', { title }))
  return (
    <main className={classes.page}>
      <div className={classes.card}>
        {workspace !== undefined && (
          <p className={classes.workspace} dir="auto">
            {workspace}
          </p>
        )}
        <div className={classes.head}>
          <Title order={1}>{title}</Title>
          <ColorSchemeButton />
        </div>
        {children}
      </div>
      {below}
    </main>
  )
}

/** A refusal on such a page, in words. */
export function CardAlert({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Alert color="red" title={title} icon={<Icon name="alert" />} role="alert">
      {children}
    </Alert>
  )
}

/** A link back to the sign-in. */
export function ToSignIn() {
  return (
    <Anchor renderRoot={(props) => <Link to="/sign-in" search={{}} {...props} />} size="sm">
      {t('Back to sign-in')}
    </Anchor>
  )
}
