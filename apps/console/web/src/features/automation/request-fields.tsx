import { outboundBodies, outboundMethods } from '@crm/contract'
import { Select, Textarea, TextInput } from '@mantine/core'
import { Advanced } from './advanced.tsx'
import { NamedValues } from './named-values.tsx'
import { t } from './texts.ts'

/** An outbound request as it is configured. */
export interface OutboundDraft {
  readonly url: string
  readonly method: (typeof outboundMethods)[number]
  readonly headers: Record<string, string>
  readonly bodyTemplate: string | null
  readonly body?: (typeof outboundBodies)[number] | undefined
}

const bodyNames = {
  USUAL: t('The default body'),
  TEMPLATE: t('My own JSON'),
  NONE: t('Nothing'),
}

interface RequestFieldsProps<Draft extends OutboundDraft> {
  readonly request: Draft
  /** The problems by the member that they are about. */
  readonly errors: Readonly<Record<string, string>>
  onChange(request: Draft): void
}

/** The address and the method of a request to another server; its headers and its body for those who need them. */
export function RequestFields<Draft extends OutboundDraft>({ request, errors, onChange }: RequestFieldsProps<Draft>) {
  const set = (part: Partial<OutboundDraft>) => onChange({ ...request, ...part })
  const body = request.body ?? (request.bodyTemplate === null ? 'USUAL' : 'TEMPLATE')
  return (
    <>
      <TextInput
        label={t('Address')}
        value={request.url}
        onChange={(event) => set({ url: event.currentTarget.value })}
        error={errors['url']}
        autoComplete="off"
        inputMode="url"
      />
      <Select
        label={t('Method')}
        value={request.method}
        onChange={(method) => set({ method: method as OutboundDraft['method'] })}
        data={[...outboundMethods]}
        error={errors['method']}
      />
      <NamedValues
        label={t('Headers')}
        values={request.headers}
        error={errors['headers']}
        onChange={(headers) => set({ headers })}
      />
      {request.method !== 'GET' && (
        <Advanced label={t('Body')} isOpen={errors['bodyTemplate'] !== undefined}>
          <Select
            label={t('What is sent')}
            value={body}
            onChange={(chosen) => set({ body: chosen as OutboundDraft['body'] })}
            data={outboundBodies.map((value) => ({ value, label: bodyNames[value] }))}
            error={errors['body']}
          />
          {body === 'TEMPLATE' && (
            <Textarea
              label={t('Body')}
              value={request.bodyTemplate ?? ''}
              error={errors['bodyTemplate']}
              autosize
              minRows={3}
              maxRows={16}
              spellCheck={false}
              onChange={(event) => set({ bodyTemplate: event.currentTarget.value || null })}
            />
          )}
        </Advanced>
      )}
    </>
  )
}
