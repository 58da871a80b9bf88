import { sightMax } from '@crm/contract'
import { personFields } from '@crm/model'
import { Button, Group, Stack, Text } from '@mantine/core'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { crm, settings } from '../base/api.ts'
import { useSession } from '../base/session.ts'
import { useChange } from '../shell/changes.ts'
import { RefusalAlert } from '../shell/states.tsx'
import { MentionField } from './mention-field.tsx'
import { callsOf } from './record-calls.ts'
import { mentionedIn, type Mentionable } from './mentions.ts'
import { collectionOf, type RecordPlace } from './record-place.ts'
import { useWriting } from './writing.ts'
import { inList, t } from '../base/texts.ts'

/** Writes a note on a record. */
export function NoteForm({ record }: { readonly record: RecordPlace }) {
  const [chosen, setChosen] = useState<readonly Mentionable[]>([])
  const client = useQueryClient()
  const { person } = useSession()
  const writing = useWriting({
    draft: `${person.id} ${record.entityId}`,
    send: (body) => crm.comments.create({ body: { ...record, body, mentions: mentionedIn(body, chosen) } }),
    onSent: () =>
      Promise.all(
        ['comments', 'timeline', 'activity'].map((kind) =>
          client.invalidateQueries({ queryKey: [collectionOf(record.entityType), kind, record.entityId] }),
        ),
      ),
  })
  const mentioned = mentionedIn(writing.area.value, chosen)
  return (
    <form onSubmit={writing.onSubmit} aria-label={t('New note')} data-kept>
      <Stack gap="xs">
        <MentionField
          aria-label={t('Note')}
          placeholder={t('Write a note. @ mentions a colleague')}
          autosize={false}
          rows={2}
          dir="auto"
          {...writing.area}
          onText={writing.setText}
          onMention={(person) => setChosen([...chosen, person])}
        />
        <NotTold record={record} ids={mentioned} known={chosen} />
        <RefusalAlert error={writing.refusal} />
        <Group justify="flex-end">
          <Button size="xs" {...writing.button}>
            {t('Save note')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

interface NotToldProps {
  readonly record: RecordPlace
  /** The mentioned people, each once. */
  readonly ids: readonly string[]
  readonly known: readonly Mentionable[]
}

/** Says who of the mentioned people does not see the record, and therefore learns nothing of the note. */
function NotTold({ record: { entityType, entityId }, ids, known }: NotToldProps) {
  const asked = ids.slice(0, sightMax)
  const { data } = useQuery({
    queryKey: ['sight', entityType, entityId, asked],
    queryFn: async ({ signal }) =>
      (await settings.sight.get({ params: { entityType, id: entityId }, query: { employeeIds: asked.join() }, signal }))
        .data.hiddenFrom,
    enabled: asked.length > 0,
    placeholderData: keepPreviousData,
  })
  const unseeing = known.filter(({ id }) => asked.includes(id) && data?.includes(id))
  if (unseeing.length === 0) return null
  return (
    <div>
      <Text role="status" size="xs" c="dimmed">
        {t('No access to this record, so no notification: {names}', {
          names: inList(unseeing.map(({ name }) => name)),
        })}
      </Text>
      {!hasMembers(entityType) && (
        <Text size="xs" c="dimmed">
          {t('A role or department decides who sees it.')}
        </Text>
      )}
      {hasMembers(entityType) && (
        <Group gap="xs" mt={4}>
          {unseeing.map((person) => (
            <ShareButton key={person.id} record={{ entityType, entityId }} person={person} />
          ))}
        </Group>
      )}
    </div>
  )
}

/** Whether records of a kind have members, who see them whatever their role shows. */
const hasMembers = (entityType: string): boolean => personFields(entityType).some(({ name }) => name === 'memberIds')

/** Makes a person a member of a record, so that they see it. */
function ShareButton({ record, person }: { readonly record: RecordPlace; readonly person: Mentionable }) {
  const { entityType, entityId } = record
  const share = useChange(
    async () => {
      const calls = callsOf(entityType)
      const current = await calls.get(entityId)
      const memberIds = [...new Set([...((current['memberIds'] ?? []) as string[]), person.id])]
      return calls.update(entityId, { memberIds })
    },
    { said: t('{name} added', { name: person.name }), stale: ['sight', collectionOf(entityType)] },
  )
  return (
    <Button variant="default" size="compact-xs" loading={share.isPending} onClick={() => share.mutate(undefined)}>
      {t('Add {name} as a member', { name: person.name })}
    </Button>
  )
}
