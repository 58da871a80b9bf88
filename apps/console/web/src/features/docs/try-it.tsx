import { Alert, Button, Group, NativeSelect, Stack, Textarea, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { CopyButton } from '../../shell/copy-button.tsx'
import { Pill } from '../../shell/pill.tsx'
import type { ApiDocument, DocumentedOperation, Parameter } from './reference.ts'
import { curlOf, missingParameters, planRequest, prettyJson, type PlannedRequest } from './request-plan.ts'
import { enumerated, sampleBody } from './schema-words.ts'
import classes from './try-it.module.css'

interface TryItProps {
  readonly document: ApiDocument
  readonly operation: DocumentedOperation
  readonly apiKey: string
}

/** Fills in a request, shows it as a curl command, and sends it with the pasted key. */
export function TryIt({ document, operation, apiKey }: TryItProps) {
  const [parameters, setParameters] = useState<Readonly<Record<string, string>>>({})
  const [body, setBody] = useState(() =>
    operation.body === null ? '' : JSON.stringify(sampleBody(document, operation.body), undefined, 2),
  )
  const input = { parameters, body }
  const request = planRequest(operation, input, window.location.origin)
  const send = useMutation({ mutationFn: () => sendRequest(request, operation.opensWith === 'key' ? apiKey : '') })
  const missing = missingParameters(operation, input)
  const needsKey = operation.opensWith === 'key' && apiKey === ''
  const submit = (event: FormEvent) => {
    event.preventDefault()
    send.mutate()
  }
  return (
    <form onSubmit={submit} aria-label="Try it">
      <Stack gap="sm">
        {operation.parameters.length > 0 && (
          <div className={classes.parameters}>
            {operation.parameters.map((parameter) => (
              <ParameterField
                key={parameter.name}
                parameter={parameter}
                value={parameters[parameter.name] ?? ''}
                onChange={(value) => setParameters({ ...parameters, [parameter.name]: value })}
              />
            ))}
          </div>
        )}
        {operation.body !== null && (
          <Textarea
            label="Body"
            value={body}
            onChange={(event) => setBody(event.currentTarget.value)}
            rows={Math.min(16, Math.max(4, body.split('\n').length))}
            spellCheck={false}
            classNames={{ input: classes.code }}
          />
        )}
        <pre className={classes.block} aria-label="The request as curl" tabIndex={0}>
          {curlOf(request, operation.opensWith)}
        </pre>
        <Group gap="sm">
          {operation.opensWith !== 'secret' && (
            <Button
              type="submit"
              size="xs"
              loading={send.isPending}
              disabled={needsKey || missing.length > 0}
            >{`Send ${operation.method}`}</Button>
          )}
          <CopyButton size="xs" text={curlOf(request, operation.opensWith)} label="Copy as curl" />
          <span className={classes.hint}>{hintFor(operation, needsKey, missing)}</span>
        </Group>
        {send.error !== null && (
          <Alert color="red" role="alert">
            The service cannot be reached.
          </Alert>
        )}
        {send.data !== undefined && <AnswerView answer={send.data} />}
      </Stack>
    </form>
  )
}

interface ParameterFieldProps {
  readonly parameter: Parameter
  readonly value: string
  onChange(value: string): void
}

function ParameterField({ parameter: { name, schema, required }, value, onChange }: ParameterFieldProps) {
  const usual = typeof schema.default === 'string' ? schema.default : (JSON.stringify(schema.default) ?? '')
  const shared = {
    size: 'xs',
    label: name,
    required,
    value,
    onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  } as const
  const values = schema.type === 'boolean' ? ['true', 'false'] : enumerated(schema)
  if (values.length > 0) return <NativeSelect {...shared} data={[{ value: '', label: usual }, ...values]} />
  return (
    <TextInput
      {...shared}
      placeholder={schema.type === 'object' ? 'cf_region=EU&cf_sizeMin=3' : usual}
      autoComplete="off"
    />
  )
}

function hintFor({ opensWith, method }: DocumentedOperation, needsKey: boolean, missing: readonly string[]): string {
  if (opensWith === 'secret') return 'Takes the secret of a webhook, which stays with the system that calls it.'
  if (needsKey) return 'Paste an API key above to send it.'
  if (missing.length > 0) return `Fill in ${missing.join(', ')}.`
  return method === 'GET' ? '' : 'This changes real data.'
}

interface Answer {
  readonly status: number
  readonly statusText: string
  readonly durationMs: number
  readonly body: string
}

/** Sends a request with only the key: the session of a signed-in person is not sent. */
async function sendRequest({ method, url, headers, body }: PlannedRequest, apiKey: string): Promise<Answer> {
  const startedMs = performance.now()
  const authorization: Readonly<Record<string, string>> = apiKey === '' ? {} : { Authorization: `Bearer ${apiKey}` }
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...authorization },
    body,
    credentials: 'omit',
    cache: 'no-store',
  })
  const text = await response.text()
  return {
    status: response.status,
    statusText: response.statusText,
    durationMs: Math.round(performance.now() - startedMs),
    body: prettyJson(text),
  }
}

function AnswerView({ answer: { status, statusText, durationMs, body } }: { readonly answer: Answer }) {
  return (
    <section aria-label="Response" aria-live="polite">
      <div className={classes.answerHead}>
        <Pill tone={status < 300 ? 'green' : status < 500 ? 'amber' : 'red'}>{`${status} ${statusText}`.trim()}</Pill>
        <span className={classes.hint}>{`${durationMs} ms`}</span>
      </div>
      <pre className={classes.block} tabIndex={0} aria-label="Response body">
        {body === '' ? '(empty)' : body}
      </pre>
    </section>
  )
}
