import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll } from 'vitest'

/** Copies a folder of programs out of the project, installs packages beside them as people do, and returns the copy; it goes with the test file. */
export function installedBeside(programs: string, packages: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), `crm-${programs}-`))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  beforeAll(() => {
    cpSync(fileURLToPath(new URL(programs, import.meta.url)), folder, { recursive: true })
    writeFileSync(
      join(folder, 'package.json'),
      JSON.stringify({ private: true, type: 'module', dependencies: packages }),
    )
    const usual = ['--no-audit', '--no-fund', '--ignore-scripts', '--legacy-peer-deps', '--silent']
    execFileSync('npm', ['install', ...usual], { cwd: folder, stdio: 'inherit' })
  }, 600_000)
  return folder
}
