import type { Content } from './definition.ts'
import { writeText, type StyledText, type TextRun } from './text-runs.ts'

/** Longer words than this are broken anywhere, lest they push a column over the edge of the page. */
const wordLettersMax = 28

/** A paragraph in its fonts and directions; one that goes from right to left stands at the right unless it is told otherwise. */
export function written(value: string | readonly StyledText[], more: Content = {}): Content {
  const { runs, isRightToLeft } = writeText(typeof value === 'string' ? [{ text: value }] : value)
  return { text: runs.flatMap(breakable), ...(isRightToLeft ? { alignment: 'right' } : {}), ...more }
}

/** The lines of a text one below the other, each in its own direction. */
export function writtenLines(value: string, more: Content = {}): Content {
  return { stack: value.split(/\r?\n/).map((line) => written(line === '' ? ' ' : line)), ...more }
}

function breakable(run: TextRun): Content[] {
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

const longWord = new RegExp(`(\\S{${wordLettersMax + 1},})`)
