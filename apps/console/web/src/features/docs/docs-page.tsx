import { Anchor, PasswordInput, TextInput, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { crm } from '../../base/api.ts'
import { ColorSchemeButton } from '../../shell/color-scheme-button.tsx'
import { Icon } from '../../shell/icons.tsx'
import { Panel } from '../../shell/page.tsx'
import { EmptyState, LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import classes from './docs-page.module.css'
import { MethodMark } from './method-mark.tsx'
import { OperationView } from './operation-view.tsx'
import { findOperations, groupName, readOperations, type ApiDocument, type OperationGroup } from './reference.ts'

const route = getRouteApi('/docs')

const documentQuery = queryOptions({
  queryKey: ['openapi'],
  queryFn: async ({ signal }) => (await crm.openapiDocument.get({ signal })) as unknown as ApiDocument,
  staleTime: Number.POSITIVE_INFINITY,
})

/** The reference of the API, made from its OpenAPI document; anybody may read it. */
export function DocsPage() {
  const { data, error, refetch } = useQuery(documentQuery)
  // The key is kept only in memory, and is gone when the page is left.
  const [apiKey, setApiKey] = useState('')
  useDocumentTitle('API reference · Workspace CRM')
  return (
    <div className={classes.page}>
      <a href="#main" className="skip-link">
        Skip to the content
      </a>
      <header className={classes.topbar}>
        <Link to="/docs" search={{}} className={classes.brand}>
          <Icon name="docs" />
          API reference
        </Link>
        <PasswordInput
          className={classes.key}
          size="xs"
          aria-label="API key to try requests with"
          placeholder="API key to try requests with"
          leftSection={<Icon name="key" size={14} />}
          value={apiKey}
          onChange={(event) => setApiKey(event.currentTarget.value.trim())}
          autoComplete="off"
          visibilityToggleButtonProps={{ 'aria-label': 'Show the key' }}
        />
        <ColorSchemeButton />
        <Anchor renderRoot={(props) => <Link to="/" {...props} />} className={classes.home}>
          Console
        </Anchor>
      </header>
      {data === undefined ? (
        <main id="main" className={classes.alone}>
          {error === null ? (
            <LoadingLines lines={10} label="Loading the reference" />
          ) : (
            <RefusalAlert error={error} retry={() => void refetch()} />
          )}
        </main>
      ) : (
        <Reference document={data} apiKey={apiKey} />
      )}
    </div>
  )
}

function Reference({ document, apiKey }: { readonly document: ApiDocument; readonly apiKey: string }) {
  const { operation: chosen } = route.useSearch()
  const groups = readOperations(document)
  const operation = groups.flatMap(({ operations }) => operations).find(({ id }) => id === chosen)
  return (
    <div className={classes.columns} data-chosen={chosen !== undefined}>
      <Contents groups={groups} />
      <main id="main" tabIndex={-1} className={classes.main}>
        {chosen !== undefined && (
          <Link to="/docs" search={{}} className={classes.back}>
            <Icon name="left" size={16} />
            All operations
          </Link>
        )}
        {operation !== undefined && <OperationView document={document} operation={operation} apiKey={apiKey} />}
        {operation === undefined && chosen !== undefined && (
          <Panel>
            <EmptyState title="There is no such operation">{chosen}</EmptyState>
          </Panel>
        )}
        {chosen === undefined && <Introduction document={document} />}
      </main>
    </div>
  )
}

function Contents({ groups }: { readonly groups: readonly OperationGroup[] }) {
  const [text, setText] = useState('')
  const found = findOperations(groups, text)
  return (
    <nav className={classes.contents} aria-label="Operations">
      <TextInput
        type="search"
        size="xs"
        aria-label="Find an operation"
        placeholder="Find an operation"
        leftSection={<Icon name="search" size={14} />}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {found.map(({ tag, operations }) => (
        <div key={tag} role="group" aria-label={groupName(tag)}>
          <div className={classes.group} aria-hidden="true">
            {groupName(tag)}
          </div>
          {operations.map(({ id, method, path, summary }) => (
            <Link key={id} to="/docs" search={{ operation: id }} className={classes.entry} title={path}>
              <MethodMark method={method} />
              <span>{summary}</span>
            </Link>
          ))}
        </div>
      ))}
      {found.length === 0 && <EmptyState title="No operation matches" />}
    </nav>
  )
}

function Introduction({ document: { info } }: { readonly document: ApiDocument }) {
  const { origin } = window.location
  return (
    <article className={classes.introduction}>
      <Title order={1}>{info.title}</Title>
      <p>{info.description}</p>
      <Panel title="Quick start">
        <ol className={classes.steps}>
          <li>
            Create a key in the console under <Link to="/settings/api-keys">API keys</Link>, with just the rights that
            your program needs.
          </li>
          <li>
            Send it with every request, as <code>Authorization: Bearer sk-…</code>
          </li>
          <li>Bodies are JSON; times are ISO 8601 in UTC; money is a decimal string beside its currency.</li>
        </ol>
        <pre
          className={classes.sample}
          tabIndex={0}
          aria-label="First request"
        >{`curl -H "Authorization: Bearer $CRM_API_KEY" '${origin}/api/me/scopes'`}</pre>
      </Panel>
      <Panel title="Notes">
        <ul className={classes.steps}>
          <li>
            An error answers <code>{'{ error, code }'}</code>: <code>code</code> is stable, <code>error</code> is text
            for people.
          </li>
          <li>
            A key may send 600 requests a minute. After a 429, wait as many seconds as <code>Retry-After</code> says.
          </li>
          <li>
            Creating calls take an <code>Idempotency-Key</code>: sent twice, they do their work once.
          </li>
          <li>
            For your own tools:{' '}
            <a href="/api/openapi.json" download="openapi.json">
              the OpenAPI document
            </a>
            , version {info.version}.
          </li>
        </ul>
      </Panel>
    </article>
  )
}
