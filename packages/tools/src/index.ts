export type { JsonSchema } from './compact-schema.ts'
export { toolCatalogue, type ToolCatalogue } from './catalogue.ts'
export { coreMode, coreOnly, foundTools, suggestedTools, type CoreMode, type CoreTool } from './core.ts'
export { consolePaths } from './elsewhere.ts'
export { WrongKindError } from './read-arguments.ts'
export {
  ClearArgumentError,
  httpRequestOf,
  IdempotencyArgumentError,
  PathArgumentError,
  UnknownArgumentsError,
  type ToolArguments,
  type ToolRequest,
} from './request.ts'
export { suggestedNames } from './respelled.ts'
export { isRunnable } from './runnable.ts'
export { shortBody, shortened } from './short-answers.ts'
export { toolDescriptor, type Tool } from './tool.ts'
