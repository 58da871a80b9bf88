// The private parts of libraries: they change without notice, and faults caused by that are hard to trace.
import type { SourceFile } from './sources.ts'

/** The forbidden parts, each with its pattern in code and the reason. */
const forbidden: readonly { readonly looks: RegExp; readonly what: string; readonly inTestsToo?: false }[] = [
  {
    looks: /(?<!\bthis)\._[a-zA-Z]\w*|\['_\w*'\]/,
    what: 'a member with a leading underscore is private, whoever it belongs to',
  },
  {
    looks: /(?<!typeof )\b(?!Object\b|Array\b)[A-Z][\w.]*\.prototype\b|\{ prototype \}/,
    what: 'the prototype of a class belongs to its library: pass what is different, or wrap it',
  },
  {
    looks: /\bObject\.(?:create|setPrototypeOf)\((?!null\b)/,
    what: 'an object made of another one changes when that does: make one that has what is needed',
  },
  {
    looks: /\bas unknown as \{/,
    what: 'what a cast to a shape of its own reaches is hidden by the types',
    inTestsToo: false,
  },
  {
    looks: /\boverride (?:async )?(?:sendCommand|_\w+)\b/,
    what: 'what a library calls by itself is not ours to replace',
  },
  {
    looks: /\.session\.(?:client|prepareQuery)\b/,
    what: 'the session of drizzle is private: use execute, or $client of the database',
  },
  { looks: /\bICAL\.design\b/, what: 'the design of ical.js is the same for all who use it' },
  { looks: /\bcheck_contracting_rules\b/, what: 'the inner steps of an iterator of ical.js are private' },
  { looks: /\.transporter\b/, what: 'the transport behind the one of nodemailer is private: use sendMail' },
  {
    looks: /\bSymbol\.for\('(?:undici|nodejs)\b|\bk[A-Z]\w+ = Object\.getOwnPropertySymbols/,
    what: 'the inner symbols of undici and Node.js are private',
  },
  {
    looks: /from '(?!@crm\/)(?:@[a-z][\w-]*\/)?[a-z][\w.-]*\/(?:src|lib|dist|js|cjs|esm|build|internal)\//,
    what: 'the inner files of a package are private: import what it exports',
  },
]

/** The exceptions without an alternative, explained in docs/decisions. No other private part may be used there. */
const argued: Readonly<Record<string, readonly string[]>> = {
  // docs/decisions/finance.md: pdfmake offers no setting for the direction of a line.
  'apps/crm-api/src/pdf/line-order.ts': ['{ prototype }', "from 'pdfmake/js/"],
  // docs/decisions/finance.md: pdfmake has no way to mark a word with its text.
  'apps/crm-api/src/pdf/actual-text.ts': ['{ prototype }', "from 'pdfmake/js/"],
}

/** Returns the private parts of libraries in use, one sentence for each. */
export function findLibraryParts(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ owner }) => owner !== undefined)
    .flatMap(({ path, code, isTest }) =>
      forbidden
        .filter(({ inTestsToo = true }) => inTestsToo || !isTest)
        .flatMap(({ looks, what }) => {
          const found = looks.exec(code)?.[0]
          return found === undefined || argued[path]?.includes(found) ? [] : [`${path} uses ${found}: ${what}.`]
        }),
    )
}
