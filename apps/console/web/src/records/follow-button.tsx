import { ActionIcon, Button } from '@mantine/core'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { beside, settings } from '../base/api.ts'
import { t } from '../base/texts.ts'
import { Icon } from '../shell/icons.tsx'
import { notifyRefusal } from '../shell/notices.tsx'
import type { RecordPlace } from './record-place.ts'

const followQuery = ({ entityType, entityId }: RecordPlace) =>
  queryOptions({
    queryKey: ['follow', entityType, entityId],
    queryFn: async ({ signal }) =>
      (await beside.settings.follows.get({ params: { entityType, id: entityId }, signal })).data.following,
    // Nobody else changes it.
    staleTime: Infinity,
    retry: false,
  })

/** Lets a person follow a record, or stop to; nothing where the answer is not known. */
export function FollowButton({ record }: { readonly record: RecordPlace }) {
  const client = useQueryClient()
  const query = followQuery(record)
  const { data: isFollowing } = useQuery(query)
  const change = useMutation({
    mutationFn: async () => {
      const params = { entityType: record.entityType, id: record.entityId }
      const { unfollow, follow } = settings.follows
      return (await (isFollowing ? unfollow({ params }) : follow({ params }))).data.following
    },
    onSuccess: (following) => client.setQueryData(query.queryKey, following),
    onError: notifyRefusal,
  })
  if (isFollowing === undefined) return null
  const label = isFollowing ? t('Following') : t('Follow')
  const icon = <Icon name={isFollowing ? 'check' : 'bell'} size={16} />
  const usual = {
    variant: isFollowing ? 'light' : 'default',
    title: t('Your inbox tells what others change here'),
    loading: change.isPending,
    onClick: () => change.mutate(),
  }
  return (
    <>
      <Button visibleFrom="sm" leftSection={icon} {...usual}>
        {label}
      </Button>
      {/* A phone has no room for the word beside the main action. */}
      <ActionIcon hiddenFrom="sm" size="input-sm" aria-label={label} {...usual}>
        {icon}
      </ActionIcon>
    </>
  )
}
