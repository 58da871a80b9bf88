import { Button, NativeSelect, Text, TextInput } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { crm } from '../../base/api.ts'
import { textIn } from '../../base/form-text.ts'
import { fieldErrors } from '../../base/refusals.ts'
import { useSession } from '../../base/session.ts'
import { collectionOf, type RecordPlace } from '../../records/record-place.ts'
import type { RecordTab } from '../../records/record-activity.tsx'
import { Age } from '../../shell/age.tsx'
import { useChange } from '../../shell/changes.ts'
import { FormDialog } from '../../shell/form-dialog.tsx'
import { Panel } from '../../shell/page.tsx'
import { Pill } from '../../shell/pill.tsx'
import { LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import { DocumentActions, DocumentTitle } from './document-actions.tsx'
import { allTemplatesQuery, madeForQuery, madeKey } from './document-queries.ts'
import { documentStatuses } from './document-words.ts'
import classes from './documents.module.css'
import { t } from '../../base/texts.ts'

/** The documents of a record, and a way to make another one from a template. */
export function DocumentsPanel({ record }: { readonly record: RecordPlace }) {
  const { may } = useSession()
  const [isMaking, setMaking] = useState(false)
  if (!may('VIEW_DOCUMENT')) return null
  return (
    <Panel
      title={t('Documents')}
      actions={
        may('CREATE_DOCUMENT') && (
          <Button variant="default" size="xs" onClick={() => setMaking(true)}>
            {t('New document')}
          </Button>
        )
      }
    >
      <MadeDocuments record={record} />
      {isMaking && <MakeDocumentDialog record={record} onClose={() => setMaking(false)} />}
    </Panel>
  )
}

function MadeDocuments({ record }: { readonly record: RecordPlace }) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    madeForQuery(record),
  )
  const documents = data?.pages.flatMap(({ items }) => items)
  if (documents === undefined)
    return error === null ? (
      <LoadingLines lines={2} label={t('Loading documents')} />
    ) : (
      <RefusalAlert error={error} retry={() => void refetch()} />
    )
  if (documents.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('No documents yet')}
      </Text>
    )
  return (
    <>
      <ul className={classes.documents} aria-label={t('Documents')}>
        {documents.map((document) => (
          <li key={document.id} className={classes.document}>
            <DocumentTitle document={document} />
            <span className={classes.facts}>
              <Pill tone={documentStatuses[document.status].tone}>{documentStatuses[document.status].name}</Pill>
              <Age at={document.createdAt} />
            </span>
            <DocumentActions document={document} />
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <Button variant="default" size="xs" fullWidth loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('Show more')}
        </Button>
      )}
    </>
  )
}

function MakeDocumentDialog({
  record: { entityType, entityId },
  onClose,
}: {
  readonly record: RecordPlace
  onClose(): void
}) {
  const { data: templates, error } = useQuery(allTemplatesQuery)
  const make = useChange(
    (form: FormData) => {
      const title = textIn(form, 'title').trim()
      return crm.documentRecords.create({
        body: { documentId: textIn(form, 'documentId'), entityType, entityId, ...(title === '' ? {} : { title }) },
      })
    },
    { said: t('Document created'), stale: [madeKey, 'files', collectionOf(entityType)], onDone: onClose },
  )
  const errors = fieldErrors(make.error)
  const choices = templates?.map(({ id, name }) => ({ value: id, label: name })) ?? []
  return (
    <FormDialog
      opened
      title={t('New document')}
      submit={t('Create document')}
      isBusy={make.isPending}
      error={make.error ?? error}
      onSubmit={(form) => make.mutate(form)}
      onClose={onClose}
    >
      {templates?.length === 0 ? (
        <Text size="sm">{t('No templates yet. Create one under Document templates.')}</Text>
      ) : (
        <NativeSelect
          label={t('Template')}
          name="documentId"
          required
          data-autofocus
          data={choices}
          error={errors['documentId']}
        />
      )}
      <TextInput
        label={t('Title')}
        name="title"
        maxLength={300}
        placeholder={t('Default')}
        error={errors['title']}
        autoComplete="off"
      />
    </FormDialog>
  )
}

/** Returns the documents of a record as a tab of its page. */
export function documentsTab(record: RecordPlace): RecordTab {
  return {
    key: 'documents',
    label: t('Documents'),
    needs: ['VIEW_DOCUMENT'],
    content: <DocumentsPanel record={record} />,
  }
}
