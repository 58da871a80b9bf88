import { describeActor } from '../../records/actor-words.ts'
import { Stack, Table, Text } from '@mantine/core'
import type { settings } from '../../base/api.ts'
import { describeInstant } from '../../base/moments.ts'
import { Facts } from '../../shell/facts.tsx'
import { describeAction } from './audit-words.ts'
import { t } from './texts.ts'
import { Dialog } from '../../shell/dialog.tsx'

export type AuditEntry = Awaited<ReturnType<typeof settings.auditLog.list>>['items'][number]

/** Everything that the audit log knows about an action. */
export function AuditEntryDialog({ entry, onClose }: { readonly entry: AuditEntry; onClose(): void }) {
  const { summary, actorName, via, at, address, userAgent, requestId, seq, changes } = entry
  return (
    <Dialog opened onClose={onClose} title={describeAction(entry)} size="lg">
      <Stack>
        <Facts
          facts={[
            [t('settings.sentenceOfTheLog'), summary],
            [t('settings.who'), describeActor(actorName, via)],
            [t('common.when'), describeInstant(at)],
            [t('common.address'), address ?? t('settings.unknown')],
            [t('settings.program'), userAgent ?? t('settings.unknown')],
            [t('settings.request'), requestId ?? t('common.none')],
            [t('common.number'), seq === null ? t('settings.notSealedYet') : String(seq)],
          ]}
        />
        {changes.length > 0 && (
          <Table aria-label={t('settings.changes')}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('common.field')}</Table.Th>
                <Table.Th>{t('settings.before')}</Table.Th>
                <Table.Th>{t('settings.after')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {changes.map(({ field, from, to }) => (
                <Table.Tr key={field}>
                  <Table.Td>{field}</Table.Td>
                  <Table.Td>
                    <Text size="sm">{wordsOf(from)}</Text>
                  </Table.Td>
                  <Table.Td>
                    <Text size="sm">{wordsOf(to)}</Text>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        )}
      </Stack>
    </Dialog>
  )
}

function wordsOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return '—'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
