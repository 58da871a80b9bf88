import { rmSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { build, type Plugin } from 'rolldown'

/** Packages that stay in node_modules: one has a native part, which is no JavaScript, the other finds its pages beside its modules. */
const external = [/^@node-rs\//, /^@bull-board\//]

/**
 * Bundles each entry of an app, such as `src/main.ts`, with all its imports into one file, `bundle/main.js`.
 *
 * Modules that an entry imports on first use become separate files. Threads and files that modules find by `import.meta.url` stay in
 * place, so a bundle works only in its own source tree. Names are kept, for the stacks of errors.
 * @param appDir absolute path of the app's folder; its `bundle` folder is replaced.
 * @param scripts modules for browsers, such as `web/embed.js`: each becomes one file beside the processes, as short as it can be.
 */
export async function bundle(
  appDir: string,
  entries: readonly string[],
  scripts: readonly string[] = [],
): Promise<void> {
  const outDir = join(appDir, 'bundle')
  rmSync(outDir, { recursive: true, force: true })
  // Entries are bundled separately, so that none contains modules that only another one needs.
  for (const entry of entries) await bundleEntry(appDir, entry, outDir)
  for (const script of scripts) await bundleScript(appDir, script, outDir)
}

async function bundleEntry(appDir: string, entry: string, outDir: string): Promise<void> {
  await build({
    cwd: appDir,
    input: entry,
    platform: 'node',
    external,
    plugins: [keepLocations(outDir)],
    logLevel: 'warn',
    output: {
      dir: outDir,
      format: 'esm',
      sourcemap: true,
      comments: false,
      keepNames: true,
      minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
      // V8 stores a source with a single character beyond Latin-1 in two bytes per character.
      charset: 'ascii',
    },
  })
}

/** Another website loads the script, so nothing of it is there for reading. */
async function bundleScript(appDir: string, input: string, dir: string): Promise<void> {
  await build({
    cwd: appDir,
    input,
    platform: 'browser',
    logLevel: 'warn',
    output: { dir, format: 'esm', comments: false, minify: true, codeSplitting: false },
  })
}

/** Lets `import.meta.url` of a module be the address of its source, relative to the bundle. */
function keepLocations(outDir: string): Plugin {
  const locationOf = (id: string): string => relative(outDir, id).split(sep).map(encodeURIComponent).join('/')
  return {
    name: 'keep-locations',
    transform: (code, id) =>
      code.includes('import.meta.url')
        ? { code: code.replaceAll('import.meta.url', `new URL('${locationOf(id)}', import.meta.url).href`), map: null }
        : null,
  }
}
