import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { settings } from '../../base/api.ts'
import { t } from '../../base/texts.ts'
import { ExportOutcome } from '../../records/export-dialog.tsx'
import { Icon } from '../../shell/icons.tsx'
import { Page, Panel } from '../../shell/page.tsx'
import { RefusalAlert } from '../../shell/states.tsx'

/** Takes everything out of the workspace: a zip of all records, comments, histories and files. */
export function EverythingPage() {
  const exporting = useMutation({ mutationFn: () => settings.exports.create({ body: { kind: 'WORKSPACE' } }) })
  return (
    <Page title={t('Export', { context: 'noun' })} narrow>
      <Panel
        title={t('Export everything')}
        note={t('One zip file with all records as CSV, comments, history and files, and a page that explains it.')}
      >
        <Stack>
          <Text size="sm">
            {t('Only you can download it, for 7 days.')}{' '}
            {t('You need to see every record. Lists export what you see: choose Export in the menu of a list.')}
          </Text>
          <RefusalAlert error={exporting.error} />
          {exporting.data && <ExportOutcome id={exporting.data.data.id} />}
          <Group>
            <Button
              leftSection={<Icon name="export" size={16} />}
              loading={exporting.isPending}
              onClick={() => exporting.mutate()}
            >
              {t('Export everything')}
            </Button>
          </Group>
        </Stack>
      </Panel>
    </Page>
  )
}
