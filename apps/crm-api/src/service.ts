import type { publicContract, Service } from '@crm/contract'
import type { CrmContext } from './context.ts'
import { implementedComments } from './resources/comments/comments.handlers.ts'
import { implementedJobs } from './resources/jobs/jobs.handlers.ts'
import { implementedLeads } from './resources/leads/leads.handlers.ts'
import { implementedMe } from './resources/me/me.handlers.ts'
import { implementedOpenapi } from './resources/openapi/openapi.handlers.ts'
import { implementedPipelines, implementedPipelineStages } from './resources/pipelines/pipelines.handlers.ts'
import { implementedSearch } from './resources/search/search.handlers.ts'
import { implementedTimeline } from './resources/timeline/timeline.handlers.ts'

/** Every operation of the public API with its handler. */
export const publicService = {
  leads: implementedLeads,
  search: implementedSearch,
  comments: implementedComments,
  timeline: implementedTimeline,
  pipelines: implementedPipelines,
  pipelineStages: implementedPipelineStages,
  jobs: implementedJobs,
  me: implementedMe,
  openapiDocument: implementedOpenapi,
} satisfies Service<typeof publicContract, CrmContext>
