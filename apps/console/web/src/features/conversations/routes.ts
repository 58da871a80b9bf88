import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { queryClient } from '../../base/queries.ts'
import { signedIn } from '../../frame/routes.tsx'
import { conversationQuery } from './conversation-queries.ts'

const readWords = ({ search }: Readonly<Record<string, unknown>>): { search?: string } =>
  typeof search === 'string' && search.trim() !== '' ? { search: search.trim().slice(0, 200) } : {}

const conversations = createRoute({
  getParentRoute: () => signedIn,
  path: '/conversations',
  validateSearch: readWords,
  component: lazyRouteComponent(() => import('./conversations-page.tsx'), 'ConversationsPage'),
})

const channel = createRoute({
  getParentRoute: () => signedIn,
  path: '/conversations/channels/$id',
  validateSearch: readWords,
  component: lazyRouteComponent(() => import('./conversations-page.tsx'), 'ChannelPage'),
})

const conversation = createRoute({
  getParentRoute: () => signedIn,
  path: '/conversations/$id',
  loader: ({ params }) => void queryClient.prefetchQuery(conversationQuery(params.id)),
  component: lazyRouteComponent(() => import('./conversation-page.tsx'), 'ConversationPage'),
})

/** The pages of conversations by address. */
export const conversationRoutes = [conversations, channel, conversation] as const
