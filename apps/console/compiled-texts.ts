import compileMessage from 'icu-minify/compile'
import type { Plugin } from 'vite'
import { textsIn } from './texts-in.ts'
import { keyOf, partsOfKey } from './web/src/texts/keys.ts'

type Texts = string | { readonly [key: string]: Texts }

/** Compiles the texts when the console is built, so that pages need no parser of ICU messages. */
export const compiledTexts: Plugin = {
  name: 'compiled-texts',
  enforce: 'pre',
  transform: {
    filter: { id: /\/console\/web\/src\/(?:.*\.tsx?|texts\/.*\.json)$/ },
    handler: (code, id) => ({ code: compiledFile(code, id), map: null }),
  },
}

/** Returns a source or a catalogue with its messages compiled. */
export function compiledFile(code: string, id: string): string {
  if (!id.endsWith('.json')) return compiledSource(code, id)
  const texts = JSON.parse(code) as Readonly<Record<string, string>>
  return JSON.stringify(id.includes('/translations/') ? compiledCatalogue(texts) : compiled(texts))
}

function compiled(texts: Texts): unknown {
  if (typeof texts === 'string') return compileMessage(texts)
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, compiled(text)]))
}

/** A text without a translation stays English. */
function compiledCatalogue(translations: Readonly<Record<string, string>>): unknown {
  const translated = Object.entries(translations).filter(([, text]) => text !== '')
  return Object.fromEntries(
    translated.map(([key, text]) => {
      const { english, context } = partsOfKey(key)
      return [keyOf(compileMessage(english), context), compileMessage(text)]
    }),
  )
}

/** Returns a source with compiled messages in place of its English texts. */
function compiledSource(source: string, id: string): string {
  return textsIn(id, source).texts.reduceRight((code, { english, start, end }) => {
    const message = compileMessage(english)
    return message === english ? code : code.slice(0, start) + JSON.stringify(message) + code.slice(end)
  }, source)
}
