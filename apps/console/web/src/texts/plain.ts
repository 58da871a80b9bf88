/// <reference types="vite/client" />

/** The texts of a kind of which nothing is special, in one language. */
interface KindTexts {
  readonly one: string
  readonly many: string
  /** With a number. */
  readonly count: string
  /** That of the noun, in languages with genders. */
  readonly gender: 'feminine' | 'neuter' | 'other'
  /** The labels of its fields and the names of its choices, where no other kind has the same. */
  readonly labels: Readonly<Record<string, string>>
  readonly codes: Readonly<Record<string, string>>
}

const files = import.meta.glob<Readonly<Record<string, KindTexts>>>('./plain/*.json', {
  eager: true,
  import: 'default',
})

interface Named {
  readonly kinds: object
  readonly labels: object
  readonly codes: object
  readonly grammar: { readonly feminine: string; readonly neuter: string }
}

/** Adds the texts of the kinds of which nothing is special; each has a file in `plain/` with all languages. */
export function withPlainKinds<Texts extends Named>(language: string, texts: Texts): Texts {
  const own = Object.entries(files).flatMap(([path, languages]) => {
    const entity = /(?<![^/])(?<name>[^/]+)\.json$/.exec(path)?.groups?.['name'] ?? ''
    const words = languages[language]
    return words ? [{ entity: entity.replaceAll('-', '_').toUpperCase(), ...words }] : []
  })
  const nouns = (gender: KindTexts['gender'], known: string): string =>
    [known, ...own.filter((kind) => kind.gender === gender).map(({ one }) => one.toLocaleLowerCase(language))].join(
      ', ',
    )
  return {
    ...texts,
    kinds: {
      ...texts.kinds,
      ...Object.fromEntries(own.map(({ entity, one, many, count }) => [entity, { one, many, count }])),
    },
    labels: Object.assign({}, ...own.map(({ labels }) => labels), texts.labels),
    codes: Object.assign({}, ...own.map(({ codes }) => codes), texts.codes),
    grammar: {
      feminine: nouns('feminine', texts.grammar.feminine),
      neuter: nouns('neuter', texts.grammar.neuter),
    },
  }
}
