import type { Content } from './definition.ts'
import { writeText, type StyledText, type TextRun } from './text-runs.ts'

/** Words that are longer are broken anywhere, so that they do not push a column over the edge of the page. */
const wordLettersMax = 28

/** Returns a paragraph in its fonts and directions; a paragraph from right to left is aligned right by default. */
export function written(value: string | readonly StyledText[], more: Content = {}): Content {
  const { runs, isRightToLeft } = writeText(typeof value === 'string' ? [{ text: value }] : value)
  return { text: runs.flatMap(breakable), ...(isRightToLeft ? { alignment: 'right' } : {}), ...more }
}

/** Returns the lines of a text one below the other, each in its own direction. */
export function writtenLines(value: string, more: Content = {}): Content {
  return { stack: value.split(/\r?\n/).map((line) => written(line === '' ? ' ' : line)), ...more }
}

function breakable(run: TextRun): Content[] {
  if (run.font === 'Arabic') return [{ ...run, ...unkerned }]
  if (run.font || run.level || !longWord.test(run.text)) return [{ ...run }]
  return run.text
    .split(longWord)
    .filter(Boolean)
    .map((text) => ({
      ...run,
      text,
      ...(text.length > wordLettersMax && !/\s/.test(text) ? { wordBreak: 'break-all' } : {}),
    }))
}

/** Kerning moves letters out of the row of their word, and readers then take them for two words. */
const unkerned = { fontFeatures: { kern: false } }

const longWord = new RegExp(`(\\S{${wordLettersMax + 1},})`)
