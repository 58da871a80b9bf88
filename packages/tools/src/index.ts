export type { JsonSchema } from './compact-schema.ts'
export { toolCatalogue, type ToolCatalogue } from './catalogue.ts'
export {
  httpRequestOf,
  IdempotencyArgumentError,
  PathArgumentError,
  UnknownArgumentError,
  type ToolArguments,
  type ToolRequest,
} from './request.ts'
export { toolDescriptor, type Tool, type ToolAnnotations, type ToolRoute } from './tool.ts'
