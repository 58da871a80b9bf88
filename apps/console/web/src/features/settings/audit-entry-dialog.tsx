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
            [t('Entry'), summary],
            [t('Who'), describeActor(actorName, via)],
            [t('When'), describeInstant(at)],
            [t('Address'), address ?? t('Unknown')],
            [t('Program'), userAgent ?? t('Unknown')],
            [t('Request'), requestId ?? t('None')],
            [t('Number'), seq === null ? t('Not sealed yet') : String(seq)],
          ]}
        />
        {changes.length > 0 && (
          <Table aria-label={t('Changes')}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('Field')}</Table.Th>
                <Table.Th>{t('Before')}</Table.Th>
                <Table.Th>{t('After')}</Table.Th>
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
