import { useLayoutEffect, useRef, useSyncExternalStore, type RefObject } from 'react'
import { shiftTo, spanIn, type Sight, type Span } from './window.ts'

const usualRowHeight = 36

/**
 * Returns the rows of a table that are drawn while somebody scrolls, in the table or in the page, and the height of one. All rows have one
 * height; a drawn one has `aria-rowindex`.
 */
export function useWindow(table: RefObject<HTMLTableElement | null>, count: number) {
  const seen = useSyncExternalStore(subscribe, () => writeSpan(table.current && sightOf(table.current), count))
  const { span, rowHeight } = readSpan(seen)
  const reveal = (at: number) => {
    const sight = table.current && sightOf(table.current)
    if (sight === null) return
    const shift = shiftTo(at, sight)
    if (shift !== 0) scrollerOf(table.current).scrollBy({ top: shift, behavior: 'instant' })
  }
  return { span: within(span, count), rowHeight, reveal }
}

function subscribe(onChange: () => void): () => void {
  let frame = 0
  const soon = () => {
    cancelAnimationFrame(frame)
    frame = requestAnimationFrame(onChange)
  }
  document.addEventListener('scroll', soon, { capture: true, passive: true })
  addEventListener('resize', soon)
  return () => {
    cancelAnimationFrame(frame)
    document.removeEventListener('scroll', soon, { capture: true })
    removeEventListener('resize', soon)
  }
}

/** A page without rows yet is taken for a usual one. */
const usualRows = 40

/** Writes the drawn rows and the height of one as a text, which changes with them alone. */
function writeSpan(sight: Sight | null, count: number): string {
  if (sight === null) return `0 ${Math.min(count, usualRows)} ${usualRowHeight}`
  const { first, last } = spanIn(sight, count)
  return `${first} ${last} ${sight.rowHeight}`
}

function readSpan(text: string): { readonly span: Span; readonly rowHeight: number } {
  const [first = 0, last = 0, rowHeight = usualRowHeight] = text.split(' ').map(Number)
  return { span: { first, last }, rowHeight }
}

/** The list can have become shorter since its rows were measured. */
function within({ first, last }: Span, count: number): Span {
  return { first: Math.min(first, Math.max(0, count - 1)), last: Math.min(last, count) }
}

function sightOf(table: HTMLTableElement): Sight | null {
  const [body] = table.tBodies
  if (body === undefined) return null
  const around = table.parentElement?.getBoundingClientRect()
  const head = fixedHeight(table.tHead)
  const foot = fixedHeight(table.tFoot)
  const row = body.querySelector<HTMLElement>('tr[aria-rowindex]')
  return {
    top: Math.max(0, (around?.top ?? 0) + head),
    bottom: Math.min(innerHeight, (around?.bottom ?? innerHeight) - foot),
    rowsTop: body.getBoundingClientRect().top,
    rowHeight: row?.offsetHeight ? row.getBoundingClientRect().height : usualRowHeight,
  }
}

/** Returns the height of the part of a table that stays in sight; 0 on a phone, where nothing does. */
function fixedHeight(part: HTMLTableSectionElement | null): number {
  const cell = part?.rows[0]?.cells[0]
  return cell && getComputedStyle(cell).position === 'sticky' ? (part?.offsetHeight ?? 0) : 0
}

/** The table scrolls by itself where it does not fit, and otherwise the page does. */
function scrollerOf(table: HTMLTableElement | null): Element | Window {
  const around = table?.parentElement
  return around && around.scrollHeight > around.clientHeight + 1 && getComputedStyle(around).overflowY !== 'visible'
    ? around
    : window
}

/** Takes a list back to its beginning when it becomes another one. */
export function useBeginning(table: RefObject<HTMLTableElement | null>, of: string): void {
  const shown = useRef(of)
  useLayoutEffect(() => {
    if (shown.current === of) return
    shown.current = of
    table.current?.parentElement?.scrollTo({ top: 0, behavior: 'instant' })
  }, [table, of])
}
