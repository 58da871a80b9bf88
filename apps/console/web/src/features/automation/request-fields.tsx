import { outboundMethods } from '@crm/contract'
import { NativeSelect, TextInput } from '@mantine/core'
import { TemplateField } from '../../shell/template-field.tsx'
import { ValuesField } from './values-field.tsx'
import { errorAt } from './workflow-draft.ts'
import { t } from '../../base/texts.ts'

/** An outbound request as it is configured. */
export interface OutboundDraft {
  readonly url: string
  readonly method: (typeof outboundMethods)[number]
  readonly headers: Record<string, string>
  readonly bodyTemplate: string | null
}

interface RequestFieldsProps<Draft extends OutboundDraft> {
  readonly request: Draft
  readonly variables: readonly string[]
  readonly errors: Readonly<Record<string, string>>
  /** The path of the request in the form. */
  readonly path: string
  onChange(request: Draft): void
}

/** The address, method, headers and body of a request to another server. */
export function RequestFields<Draft extends OutboundDraft>({
  request,
  variables,
  errors,
  path,
  onChange,
}: RequestFieldsProps<Draft>) {
  const set = (part: Partial<OutboundDraft>) => onChange({ ...request, ...part })
  return (
    <>
      <TextInput
        label={t('common.address')}
        value={request.url}
        onChange={(event) => set({ url: event.currentTarget.value })}
        error={errorAt(errors, `${path}.url`)}
        autoComplete="off"
      />
      <NativeSelect
        label={t('automation.method')}
        value={request.method}
        onChange={(event) => set({ method: event.currentTarget.value as OutboundDraft['method'] })}
        data={[...outboundMethods]}
        error={errorAt(errors, `${path}.method`)}
      />
      <ValuesField
        label={t('automation.headers')}
        areTexts
        values={request.headers}
        variables={[]}
        error={errorAt(errors, `${path}.headers`)}
        onChange={(headers) => set({ headers: headers as Record<string, string> })}
      />
      {request.method !== 'GET' && (
        <TemplateField
          label={t('automation.body')}
          isLong
          description={t('automation.jsonLeaveEmptyForThe')}
          value={request.bodyTemplate ?? ''}
          variables={variables}
          error={errorAt(errors, `${path}.bodyTemplate`)}
          onChange={(text) => set({ bodyTemplate: text === '' ? null : text })}
        />
      )}
    </>
  )
}
