import { Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Panel } from '../../shell/page.tsx'
import { MethodMark } from './method-mark.tsx'
import classes from './operation-view.module.css'
import type { ApiDocument, DocumentedOperation } from './reference.ts'
import { SchemaLine, SchemaView } from './schema-view.tsx'
import { TryIt } from './try-it.tsx'

interface OperationViewProps {
  readonly document: ApiDocument
  readonly operation: DocumentedOperation
  readonly apiKey: string
}

/** Everything about one operation. */
export function OperationView({ document, operation, apiKey }: OperationViewProps) {
  const { summary, description, method, path, parameters, body, replies, refusals } = operation
  return (
    <article className={classes.operation} aria-labelledby="operation">
      <header>
        <Title order={1} id="operation">
          {summary}
        </Title>
        <div className={classes.path}>
          <MethodMark method={method} />
          <code>{path}</code>
        </div>
        {description !== '' && <p className={classes.text}>{description}</p>}
        <Access operation={operation} />
      </header>
      <Panel title="Try it">
        <TryIt key={operation.id} document={document} operation={operation} apiKey={apiKey} />
      </Panel>
      {parameters.length > 0 && (
        <Panel title="Parameters">
          <ul className={classes.list}>
            {parameters.map((parameter) => (
              <li key={`${parameter.in} ${parameter.name}`}>
                <SchemaLine
                  document={document}
                  name={parameter.name}
                  schema={parameter.schema}
                  required={parameter.required}
                  description={parameterText(parameter)}
                />
              </li>
            ))}
          </ul>
        </Panel>
      )}
      {body !== null && (
        <Panel title="Body">
          <SchemaView document={document} schema={body} />
        </Panel>
      )}
      {replies.map(({ status, description: text, schema }) => (
        <Panel key={status} title={`Answer ${status}`} note={text}>
          {schema === null ? <Dim>No body.</Dim> : <SchemaView document={document} schema={schema} />}
        </Panel>
      ))}
      {refusals.length > 0 && (
        <Panel title="Errors" note="Codes are stable; their texts may change.">
          <Refusals refusals={refusals} />
        </Panel>
      )}
    </article>
  )
}

function parameterText({
  in: place,
  description,
  schema,
}: DocumentedOperation['parameters'][number]): string | undefined {
  const text = description ?? schema.description
  return place === 'query' ? text : [`In the ${place}.`, text].filter(Boolean).join(' ')
}

function Access({
  operation: { permissions, permissionRule, opensWith },
}: {
  readonly operation: DocumentedOperation
}) {
  if (opensWith === 'nothing') return <Dim>Needs no credential.</Dim>
  if (opensWith === 'secret')
    return (
      <Dim>
        Needs the secret of the webhook in the header <code>x-api-key</code>.
      </Dim>
    )
  if (permissions.length === 0) return <Dim>Needs any valid API key.</Dim>
  const rule = {
    all: 'Needs the permission',
    any: 'Needs one of the permissions',
    record: 'Needs the permission of the kind of record:',
  }[permissionRule]
  return (
    <Dim>
      {rule}{' '}
      {permissions.map((name, at) => (
        <span key={name}>
          {at > 0 && (permissionRule === 'all' ? ' and ' : ', ')}
          <code>{name}</code>
        </span>
      ))}
      .
    </Dim>
  )
}

function Dim({ children }: { readonly children: ReactNode }) {
  return <p className={classes.dim}>{children}</p>
}

function Refusals({ refusals }: Pick<DocumentedOperation, 'refusals'>) {
  return (
    <table className={classes.refusals} aria-label="Errors">
      <thead>
        <tr>
          <th scope="col">Status</th>
          <th scope="col">Code</th>
          <th scope="col">Meaning</th>
        </tr>
      </thead>
      <tbody>
        {refusals.flatMap(({ status, codes }) =>
          codes.map(({ code, text }) => (
            <tr key={`${status} ${code} ${text}`}>
              <td>{status}</td>
              <td>{code === '' ? '–' : <code>{code}</code>}</td>
              <td>{text}</td>
            </tr>
          )),
        )}
      </tbody>
    </table>
  )
}
