// One folding compares texts, that of the database (docs/decisions/texts.md): what JavaScript takes for equal differs in İ, ς, ß and more.
import type { SourceFile } from './sources.ts'

/** Values that people type. */
const typed =
  'name|title|label|text|value|sku|tags?|words?|search|wanted|domain|handle|subject|typed|line|firstName|lastName|companyName'

const looks: readonly RegExp[] = [
  new RegExp(
    String.raw`\b(?:${typed})(?:\(\))?\)?\??\.(?:trim\(\)\??\.)?(?:to(?:Locale)?(?:Lower|Upper)Case|localeCompare)\(`,
  ),
  /\.normalize\(\s*['"]NFK?D['"]/,
  /\\p\{M(?:n|ark)?\}\/?[a-z]*,\s*''/,
]

/** Where texts are no texts of records: each place with what it compares. */
const others: Readonly<Record<string, string>> = {
  'across/transfers/': 'the titles of columns of files',
  'resources/identity/scim/': 'words of the protocol and names of its attributes',
  'resources/automation/automation/header-secrets.ts': 'names of headers',
  'resources/work/calendar/': 'properties of calendars',
  'domain/history/entry-values.ts': 'codes',
  'domain/files/files.naming.ts': 'names of files for programs that know ASCII alone',
}

/** Returns the places in the CRM API where JavaScript folds texts, one sentence for each. */
export function findFolding(files: readonly Pick<SourceFile, 'path' | 'code' | 'isTest'>[]): string[] {
  const root = 'apps/crm-api/src/'
  return files
    .filter(({ path, isTest }) => !isTest && path.startsWith(root))
    .filter(({ path }) => !Object.keys(others).some((place) => path.startsWith(root + place)))
    .flatMap(({ path, code }) =>
      looks.flatMap((look) => {
        const found = look.exec(code)?.[0]
        return found === undefined
          ? []
          : [
              `${path} has ${JSON.stringify(found)}: texts are compared by crm_fold of the database (isFolded, holdsFolded, Folding), addresses by emailKey.`,
            ]
      }),
    )
}
