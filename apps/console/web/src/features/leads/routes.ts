import { lead } from '@crm/model'
import type { KindPages } from '../../records/kind-pages.ts'

/** What is special about the pages of leads. */
export const leadPages: KindPages = { entityType: lead.entity, page: () => import('./lead-parts.tsx') }
