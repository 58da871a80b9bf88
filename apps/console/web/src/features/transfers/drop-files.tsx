import { migrationFileBytesMax, migrationFilesMax, migrationSources, type MigrationSource } from '@crm/contract'
import { Button, FileButton, Group, NativeSelect, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { settings } from '../../base/api.ts'
import { DropPlace } from '../../domain/files/drop-place.tsx'
import { Icon } from '../../shell/icons.tsx'
import { Panel } from '../../shell/page.tsx'
import { RefusalAlert } from '../../shell/states.tsx'
import { t } from './texts.ts'
import classes from './moving.module.css'

const programs: Readonly<Record<MigrationSource, string>> = {
  FILES: t('Another program or a spreadsheet'),
  HUBSPOT: 'HubSpot',
  PIPEDRIVE: 'Pipedrive',
  SALESFORCE: 'Salesforce',
  ZOHO: 'Zoho CRM',
  TWENTY: 'Twenty',
  ESPOCRM: 'EspoCRM',
}

/** Returns the name of the program that files come from. */
export function programName(source: MigrationSource): string {
  return programs[source]
}

/** Takes the files of a former program and begins a migration with them. */
export function DropFiles({ onBegun }: { onBegun(id: string): void }) {
  const [source, setSource] = useState<MigrationSource>('FILES')
  const begin = useMutation({
    mutationFn: (files: readonly File[]) => settings.migrations.create({ form: formOf(files, source) }),
    onSuccess: ({ data }) => onBegun(data.id),
  })
  const [fault, setFault] = useState<string | null>(null)
  const take = (files: readonly File[]) => {
    if (files.length === 0) return
    const found = faultIn(files)
    setFault(found)
    if (found === null) begin.mutate(files)
  }
  return (
    <Panel>
      <DropPlace onDrop={take}>
        <div className={classes.drop}>
          <Icon name="import" size={28} />
          <div className={classes.dropTitle}>{begin.isPending ? t('Uploading…') : t('Drop your files here')}</div>
          <Text size="sm" c="dimmed" ta="center" maw="34rem">
            {t(
              'Up to 20 files: CSV, Excel, OpenDocument, vCard, or a zip of them, with 50 MB and 200,000 rows each. Export contacts, companies and deals together: their links are kept.',
            )}
          </Text>
          <Group gap="sm" align="flex-end" justify="center">
            <NativeSelect
              label={t('Where the files come from')}
              value={source}
              onChange={({ currentTarget }) =>
                setSource(migrationSources.find((one) => one === currentTarget.value) ?? 'FILES')
              }
              data={migrationSources.map((value) => ({ value, label: programs[value] }))}
            />
            <FileButton multiple onChange={take} accept=".csv,.tsv,.txt,.xlsx,.xlsm,.xlsb,.xls,.ods,.vcf,.zip">
              {(button) => (
                <Button {...button} loading={begin.isPending}>
                  {t('Choose files')}
                </Button>
              )}
            </FileButton>
          </Group>
          {fault !== null && (
            <Text size="sm" c="red" role="alert">
              {fault}
            </Text>
          )}
        </div>
      </DropPlace>
      <RefusalAlert error={begin.error} />
    </Panel>
  )
}

function faultIn(files: readonly File[]): string | null {
  const large = files.find(({ size }) => size > migrationFileBytesMax)
  if (large !== undefined) return t('{name} is larger than 50 MB.', { name: large.name })
  return files.length > migrationFilesMax ? t('Choose up to 20 files.') : null
}

function formOf(files: readonly File[], source: MigrationSource): FormData {
  const form = new FormData()
  form.append('options', JSON.stringify({ source }))
  for (const file of files) form.append('files', file)
  return form
}
