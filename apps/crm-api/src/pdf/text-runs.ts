import bidiFactory from 'bidi-js'
import { canPlace, canWrite, fontsFor, usualFont, type FontName } from './fonts.ts'

/** A piece of a paragraph with its style. */
export interface StyledText {
  readonly text: string
  readonly bold?: boolean
  readonly italics?: boolean
}

/** A piece in one font and one direction. */
export interface TextRun extends StyledText {
  /** The font; by default the usual one. */
  readonly font?: FontName
  /** The level within text of the other direction (UAX #9): odd from right to left. Without a level, from left to right. */
  readonly level?: number
  /** The bracket that is drawn in its place; the original bracket decides where lines break. */
  readonly mirror?: string
}

/** A paragraph ready to be laid out. */
export interface Written {
  readonly runs: readonly TextRun[]
  readonly isRightToLeft: boolean
}

const bidi = bidiFactory()
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** The text that the usual font writes from left to right without analysis. */
const isPlain =
  /^[\n\u0020-\u007e\u00a0-\u017f\u0391-\u03a1\u03a3-\u03ce\u0400-\u045f\u2013\u2014\u2018-\u201e\u2022\u2026\u20ac]*$/u

/**
 * Splits a paragraph into runs of one font and one direction each. Points and brackets stay with the letters before them as
 * long as their font has them; pictographs that no font has are left out.
 */
export function writeText(pieces: readonly StyledText[]): Written {
  const shown = pieces.map((piece) => ({ ...piece, text: drawable(piece.text) }))
  const whole = shown.map(({ text }) => text).join('')
  if (isPlain.test(whole)) return { runs: shown, isRightToLeft: false }
  const embedding = bidi.getEmbeddingLevels(whole)
  const mirrored = bidi.getMirroredCharactersMap(whole, embedding.levels)
  const order = fontOrder(whole)
  const runs: TextRun[] = []
  let start = 0
  for (const { text, ...style } of shown) {
    let last: (TextRun & { text: string }) | undefined
    for (const { segment, index } of graphemes.segment(text)) {
      const level = embedding.levels[start + index] ?? 0
      const font = fontOf(segment, order, last?.font)
      if (font === undefined) continue
      const mirror = mirrored.get(start + index)
      if (last && !mirror && (last.font ?? usualFont) === font && (last.level ?? 0) === level && runsAlong(last, level))
        last.text += segment
      else
        runs.push(
          (last = {
            ...style,
            text: segment,
            ...(font === usualFont ? {} : { font }),
            ...(level === 0 ? {} : { level }),
            ...(mirror ? { mirror } : {}),
          }),
        )
    }
    start += text.length
  }
  return { runs: runs.flatMap(placeable), isRightToLeft: (embedding.paragraphs[0]?.level ?? 0) % 2 === 1 }
}

/** Returns the letters of a text that no font has: a box is drawn for each. Pictographs and invisible signs are left out without one. */
export function missingLetters(text: string): readonly string[] {
  const shown = drawable(text)
  if (isPlain.test(shown)) return []
  const order = fontsFor(shown)
  const different = new Set(Array.from(graphemes.segment(shown), ({ segment }) => segment))
  return [...different].filter(
    (letter) => /\S/.test(letter) && fontOf(letter, order, undefined) === usualFont && !canWrite(usualFont, letter),
  )
}

/** Returns a run as its font can draw it: letter by letter where it has no place for a mark, and a box for a letter that it cannot draw alone. */
function placeable(run: TextRun): readonly TextRun[] {
  const { font, ...bare } = run
  if (font === undefined || canPlace(font, run.text)) return [run]
  return Array.from(run.text, (text) => (canPlace(font, text) ? { ...run, text } : { ...bare, text }))
}

/** Returns letters in the form of fonts: composed, with one kind of unbreakable space, and without invisible signs. */
function drawable(text: string): string {
  return text
    .normalize('NFC')
    .replaceAll(/[\u2007\u202f]/g, '\u00a0')
    .replaceAll('\t', ' ')
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/(?!\n)[\p{Cc}\u00ad\p{Variation_Selector}]/gu, '')
}

/**
 * Returns the order of fonts. Kana mean that Han letters are to look as in Japan; letters that join each other come from one font, so that a rare one
 * brings all of its script along.
 */
function fontOrder(text: string): readonly FontName[] {
  const arabic = text.match(/\p{Script=Arabic}+/gu)?.join('') ?? ''
  const isOutOfPlace: Partial<Record<FontName, boolean>> = {
    Japanese: !/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text),
    Arabic: arabic === '' || !canWrite('Arabic', arabic),
  }
  return fontsFor(text).filter((name) => isOutOfPlace[name] !== true)
}

function fontOf(letter: string, order: readonly FontName[], before: FontName | undefined): FontName | undefined {
  if (/^\p{Default_Ignorable_Code_Point}+$/u.test(letter)) return undefined
  if (before && !/[\p{L}\p{N}\s]/u.test(letter) && canWrite(before, letter)) return before
  return (
    order.find((font) => canWrite(font, letter)) ?? (/\p{Extended_Pictographic}/u.test(letter) ? undefined : usualFont)
  )
}

const rightToLeft: readonly FontName[] = ['Arabic', 'RareArabic', 'Hebrew']

/** Whether the letters of a run are drawn in the direction of their level; otherwise each letter is placed by itself. */
function runsAlong({ text, font, mirror }: TextRun, level: number): boolean {
  if (mirror) return false
  const isDrawnRightToLeft =
    font !== undefined && rightToLeft.includes(font) && /[\p{Script=Arabic}\p{Script=Hebrew}\p{Nd}]/u.test(text)
  return isDrawnRightToLeft === (level % 2 === 1)
}
