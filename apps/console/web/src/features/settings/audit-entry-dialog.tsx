import { Modal, Stack, Table, Text } from '@mantine/core'
import type { settings } from '../../base/api.ts'
import { describeInstant } from '../../base/moments.ts'
import { Facts } from '../../shell/facts.tsx'

export type AuditEntry = Awaited<ReturnType<typeof settings.auditLog.list>>['items'][number]

/** Everything that the audit log knows about an action. */
export function AuditEntryDialog({ entry, onClose }: { readonly entry: AuditEntry; onClose(): void }) {
  const { summary, actorName, at, address, userAgent, requestId, seq, changes } = entry
  return (
    <Modal opened onClose={onClose} title={summary} size="lg">
      <Stack>
        <Facts
          facts={[
            ['Who', actorName],
            ['When', describeInstant(at)],
            ['Address', address ?? 'Unknown'],
            ['Program', userAgent ?? 'Unknown'],
            ['Request', requestId ?? 'None'],
            ['Number', seq === null ? 'Not sealed yet' : String(seq)],
          ]}
        />
        {changes.length > 0 && (
          <Table aria-label="Changes">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Field</Table.Th>
                <Table.Th>Before</Table.Th>
                <Table.Th>After</Table.Th>
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
    </Modal>
  )
}

function wordsOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return '—'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
