import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Finds the first of some programs in the folders of a PATH. */
export function findProgram(names: readonly string[], searchPath: string): string | undefined {
  return names.flatMap((name) => searchPath.split(delimiter).map((folder) => join(folder, name))).find(isExecutable)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
