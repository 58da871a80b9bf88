// The rules of time zones are those of the runtime alone (docs/decisions/time-zones.md): SQL that is given the name of a zone has rules of its own.
import type { SourceFile } from './sources.ts'

const looks: readonly RegExp[] = [
  // UTC is no zone with rules.
  /\bAT\s+TIME\s+ZONE\s+(?!'UTC')\S+/i,
  /\bSET\s+(?:LOCAL\s+|SESSION\s+)?TIME\s*ZONE\s*(?:=|\bTO\b)?\s*(?!=|TO\b|'UTC'|''UTC'')\S+/i,
  // A third parameter of date_trunc, the fourth of date_add, and the functions behind AT TIME ZONE.
  /\bdate_trunc\s*\((?:[^(),]|\([^()]*\)|\$\{[^}]*\})*,(?:[^(),]|\([^()]*\)|\$\{[^}]*\})*,[^)]*\)/i,
  /\bdate_(?:add|subtract)\s*\((?:[^(),]|\([^()]*\))*,(?:[^(),]|\([^()]*\))*,[^)]*\)/,
  /\bpg_timezone_(?:names|abbrevs)\b/i,
  /(?:sql|SELECT)[^;`]*[\s(,]timezone\s*\(\s*(?!'UTC')/,
]

/** Returns the places where SQL is given the name of a zone, one sentence for each. */
export function findZonesInSql(files: readonly Pick<SourceFile, 'path' | 'code' | 'isTest'>[]): string[] {
  return files
    .filter(({ isTest, path }) => !isTest && !path.startsWith('scripts/'))
    .flatMap(({ path, code }) =>
      looks.flatMap((look) => {
        const found = look.exec(code)?.[0]
        return found === undefined
          ? []
          : [
              `${path} has ${JSON.stringify(found.slice(-60))}: PostgreSQL has rules of time zones of its own; give it instants or offsetSteps of @crm/scheduling.`,
            ]
      }),
    )
}

const borrowed = /'(?:en-CA|sv-SE)'/

/** Returns the places that take a date for machines from the format of a language, one sentence for each: such formats change between browsers. */
export function findBorrowedFormats(files: readonly Pick<SourceFile, 'path' | 'code' | 'isTest'>[]): string[] {
  return files
    .filter(({ isTest, path, code }) => !isTest && !path.startsWith('scripts/') && borrowed.test(code))
    .map(({ path }) => `${path} writes dates as another language does: take the parts that formatToParts names.`)
}
