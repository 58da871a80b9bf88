/** The fonts that stand in where the usual one has no letters, by the script that each writes. */
export const scriptFonts = ['Arabic', 'Hebrew', 'Thai', 'Devanagari', 'Korean', 'Japanese', 'Chinese'] as const
export type ScriptFont = (typeof scriptFonts)[number]

/** A piece of text with the font that has its letters; without one, the usual font. */
export interface TextRun {
  readonly text: string
  readonly font?: ScriptFont
}

const patterns: readonly (readonly [ScriptFont, RegExp])[] = [
  ['Arabic', /\p{Script=Arabic}/u],
  ['Hebrew', /\p{Script=Hebrew}/u],
  ['Thai', /\p{Script=Thai}/u],
  ['Devanagari', /\p{Script=Devanagari}/u],
  ['Korean', /\p{Script=Hangul}/u],
  ['Japanese', /[\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ['Chinese', /[\p{Script=Han}\u3000-\u303f\uff00-\uffef]/u],
]

const isRightToLeft = (font: ScriptFont | undefined): boolean => font === 'Arabic' || font === 'Hebrew'
const anyOfThem = /[\u0530-\u1dff\u2300-\u{10ffff}]/u

/**
 * Splits a text into runs that one font each can write. Characters of no script stay with the run they stand in, Han follows
 * the kana or hangul beside it, and the words of a script that goes from right to left are put in the order in which they are drawn.
 */
export function scriptRuns(text: string): TextRun[] {
  if (!anyOfThem.test(text)) return [{ text }]
  const han: ScriptFont = /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text) ? 'Japanese' : 'Chinese'
  const runs: { text: string; font: ScriptFont | undefined }[] = []
  for (const { segment } of new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)) {
    const font = fontOf(segment, han)
    const last = runs.at(-1)
    const isNeutral = !/[\p{L}\p{N}]/u.test(segment) && font === undefined
    if (last && (last.font === font || isNeutral)) last.text += segment
    else runs.push({ text: segment, font })
  }
  return runs.map(({ text: run, font }) => (font ? { text: isRightToLeft(font) ? asDrawn(run) : run, font } : { text: run }))
}

function fontOf(segment: string, han: ScriptFont): ScriptFont | undefined {
  const found = patterns.find(([, pattern]) => pattern.test(segment))?.[0]
  return found === 'Chinese' ? han : found
}

function asDrawn(run: string): string {
  return run.split(/(\s+)/).toReversed().join('')
}
