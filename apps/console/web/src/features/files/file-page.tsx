import type { FileRecord } from '@crm/contract'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { describeSize } from '../../base/file-size.ts'
import { describeInstant } from '../../base/moments.ts'
import { usePeopleNames } from '../../base/people.ts'
import { fileQuery } from '../../domain/files/file-queries.ts'
import { FileView, isViewable } from '../../domain/files/file-view.tsx'
import { LinkedPlaces } from '../../records/linked-places.tsx'
import { WithRecord } from '../../records/record-page.tsx'
import { Facts } from '../../shell/facts.tsx'
import { Icon } from '../../shell/icons.tsx'
import { Page, Panel } from '../../shell/page.tsx'
import { t } from '../../base/texts.ts'

const route = getRouteApi('/console/files/$id')

/** A file: its facts, the records it belongs to, and a way to save it. */
export function FilePage() {
  const { id } = route.useParams()
  const reading = useQuery(fileQuery(id))
  return (
    <WithRecord noun={t('file')} reading={reading} narrow>
      {(file) => <KnownFile file={file} />}
    </WithRecord>
  )
}

function KnownFile({ file }: { readonly file: FileRecord }) {
  const { id, name, contentType, size, sha256, uploadedById, createdAt, links } = file
  const people = usePeopleNames([uploadedById])
  const save = (
    <Button
      leftSection={<Icon name="import" size={16} />}
      renderRoot={(props) => <a href={`/api/files/${id}/content`} download={name} {...props} />}
    >
      {t('Save')}
    </Button>
  )
  return (
    <Page title={name} note={describeSize(size)} actions={save} narrow>
      {isViewable(file) && (
        <Panel title={t('Preview')}>
          <FileView file={file} />
        </Panel>
      )}
      <Panel title={t('Details')}>
        <Facts
          facts={[
            [t('Type'), contentType],
            [t('Size'), describeSize(size)],
            [t('Added by'), people.get(uploadedById)],
            [t('Added'), describeInstant(createdAt)],
            ['SHA-256', sha256],
          ]}
        />
      </Panel>
      <LinkedPlaces links={links} />
    </Page>
  )
}
