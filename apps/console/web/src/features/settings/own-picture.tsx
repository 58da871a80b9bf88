import { Alert, Button, FileButton, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { settings } from '../../base/api.ts'
import { sessionQuery, useSession, type Session } from '../../base/session.ts'
import { Avatar } from '../../shell/avatar.tsx'
import { Icon } from '../../shell/icons.tsx'
import { notify } from '../../shell/notices.tsx'
import { RefusalAlert } from '../../shell/states.tsx'
import { squarePicture, UnreadablePictureError } from './square-picture.ts'
import { t } from './texts.ts'

/** The picture of the person, which they choose, replace and remove. */
export function OwnPicture() {
  const { person } = useSession()
  const client = useQueryClient()
  const show = (now: Session['person'], said: string) => {
    client.setQueryData(sessionQuery.queryKey, (session) => session && { ...session, person: now })
    notify(said)
    return client.invalidateQueries({ queryKey: ['people'] })
  }
  const choose = useMutation({
    mutationFn: async (file: File) => {
      const form = new FormData()
      form.append('file', await squarePicture(file), 'picture.jpg')
      return settings.pictures.set({ form })
    },
    onSuccess: ({ data }) => show(data, t('Picture saved')),
  })
  const remove = useMutation({
    mutationFn: () => settings.pictures.remove(),
    onSuccess: ({ data }) => show(data, t('Picture removed')),
  })
  const isUnreadable = choose.error instanceof UnreadablePictureError
  const isBusy = choose.isPending || remove.isPending
  return (
    <Stack gap="sm">
      <Group gap="md" wrap="nowrap">
        <Avatar name={person.name} personId={person.id} size={72} />
        <Stack gap="xs">
          <Group gap="xs">
            <FileButton accept="image/*" disabled={isBusy} onChange={(file) => file && choose.mutate(file)}>
              {(button) => (
                <Button {...button} variant="default" size="xs" disabled={remove.isPending} loading={choose.isPending}>
                  {t(person.pictureUrl === null ? 'Choose picture' : 'Replace picture')}
                </Button>
              )}
            </FileButton>
            {person.pictureUrl !== null && (
              <Button
                variant="subtle"
                color="red"
                size="xs"
                disabled={choose.isPending}
                loading={remove.isPending}
                onClick={() => remove.mutate()}
              >
                {t('Remove picture')}
              </Button>
            )}
          </Group>
          <Text size="xs" c="dimmed">
            {t(
              'Colleagues see it beside your name, and guests on booking pages that show your photo. It is cropped to a square.',
            )}
          </Text>
        </Stack>
      </Group>
      {isUnreadable && (
        <Alert color="red" icon={<Icon name="alert" />} role="alert">
          {t('This file cannot be read as a picture. Choose a PNG, JPEG or WebP.')}
        </Alert>
      )}
      <RefusalAlert error={isUnreadable ? null : (choose.error ?? remove.error)} />
    </Stack>
  )
}
