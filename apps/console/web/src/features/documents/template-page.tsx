import { Alert, Button, Group, Stack } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { crm } from '../../base/api.ts'
import { fieldErrors, isRefusedWith } from '../../base/refusals.ts'
import { useSession } from '../../base/session.ts'
import { templateQuery } from '../../domain/documents/document-queries.ts'
import documents from '../../domain/documents/documents.module.css'
import { RecordPage, WithRecord } from '../../records/record-page.tsx'
import { BackLink } from '../../shell/back-link.tsx'
import { listOf } from '../../records/record-place.ts'
import { useRemoval } from '../../records/use-removal.ts'
import { notify } from '../../shell/notices.tsx'
import { Panel } from '../../shell/page.tsx'
import { RefusalAlert } from '../../shell/states.tsx'
import { TemplateFields, type TemplateDraft } from './template-fields.tsx'
import { t, terms } from '../../base/texts.ts'

type Template = Awaited<ReturnType<typeof crm.documents.get>>['data']

/** A document template: its text and its history. */
export function Page({ id }: { readonly id: string }) {
  const reading = useQuery(templateQuery(id))
  return (
    <WithRecord noun={t('template')} back={<BackToTemplates />} reading={reading}>
      {(template) => <KnownTemplate key={id} template={template} />}
    </WithRecord>
  )
}

function BackToTemplates() {
  return (
    <BackLink to={listOf('DOCUMENT')} search={{}}>
      {terms.kinds.TEMPLATE.title}
    </BackLink>
  )
}

function KnownTemplate({ template }: { readonly template: Template }) {
  const { may } = useSession()
  const { id, name, kind, body } = template
  return (
    <RecordPage
      record={{ entityType: 'DOCUMENT', entityId: id }}
      title={name}
      note={kind}
      back={<BackToTemplates />}
      actions={<TemplateActions template={template} />}
      main={
        <Panel title={t('Template')}>
          {may('UPDATE_DOCUMENT') ? (
            <TemplateEditor template={template} />
          ) : (
            <pre className={documents.text}>{body}</pre>
          )}
        </Panel>
      }
      isCommented={false}
    />
  )
}

function TemplateActions({ template: { id } }: { readonly template: Template }) {
  const { may } = useSession()
  const navigate = useNavigate()
  const remove = useRemoval('DOCUMENT', () => navigate({ to: listOf('DOCUMENT'), search: {} }))
  return (
    <>
      {may('DELETE_DOCUMENT') && (
        <Button variant="subtle" color="red" loading={remove.isPending} onClick={() => remove.mutate(id)}>
          {t('Delete')}
        </Button>
      )}
      <Button variant="default" renderRoot={(props) => <Link to="/documents" search={{ documentId: id }} {...props} />}>
        {t('Documents created from it')}
      </Button>
    </>
  )
}

const parts = ['name', 'kind', 'body'] as const

function TemplateEditor({ template }: { readonly template: Template }) {
  // Another person's change must not be undone while the text is open: only fields that differ from the shown ones are sent.
  const [shown, setShown] = useState<TemplateDraft>(template)
  const [draft, setDraft] = useState<TemplateDraft>(template)
  const client = useQueryClient()
  const { id, version } = template
  const changed = Object.fromEntries(
    parts.filter((part) => draft[part] !== shown[part]).map((part) => [part, draft[part]]),
  )
  const save = useMutation({
    mutationFn: () => crm.documents.update({ params: { id }, body: { ...changed, version } }),
    onSuccess: async ({ data: { warnings: _warnings, ...saved } }) => {
      setShown(saved)
      setDraft(saved)
      client.setQueryData(templateQuery(id).queryKey, saved)
      notify(t('Saved'))
      await client.invalidateQueries({ queryKey: ['documents'] })
    },
    onError: (error) =>
      isRefusedWith(error, 'VERSION_CONFLICT') ? client.invalidateQueries({ queryKey: ['documents'] }) : undefined,
  })
  const warnings = save.data?.data.warnings ?? []
  return (
    <form
      aria-label={t('Template')}
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
    >
      <Stack>
        <TemplateFields draft={draft} errors={fieldErrors(save.error)} onChange={setDraft} />
        {warnings.length > 0 && (
          <Alert color="yellow" title={t('Left blank')} role="status">
            {warnings.map(({ message }) => (
              <div key={message}>{message}</div>
            ))}
          </Alert>
        )}
        {!isRefusedWith(save.error, 'VALIDATION_ERROR') && <RefusalAlert error={save.error} />}
        <Group justify="flex-end">
          <Button type="submit" loading={save.isPending} disabled={Object.keys(changed).length === 0}>
            {t('Save')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
