import { ApiError } from '@crm/errors'
import { createSideProcess, SideProcessError, type SideProcessOptions } from '../beside/side-process.ts'
import type { CommercialSheet } from './commercial-sheet.ts'
import { pagesMax } from './definition.ts'
import type { LetterSheet } from './letter-sheet.ts'

/** The content of a PDF. */
export type Sheet = CommercialSheet | LetterSheet

/** A PDF, and the letters of its texts that no font has. */
export interface Drawn {
  readonly content: Uint8Array
  readonly missing: readonly string[]
}

const usual: Omit<SideProcessOptions, 'workMsMax'> = {
  main: new URL('../main-pdf.ts', import.meta.url),
  waitMsMax: 60_000,
  waitingMax: 20,
  // Enough for hundreds of lines that each fill half a page.
  heapMbMax: 256,
  restingMbMax: 150,
  idleMsMax: 20_000,
}

/** Each kind has a process of its own: an invoice never waits for a long letter. */
const renderers = {
  commercial: createSideProcess<Sheet, Drawn>({ ...usual, workMsMax: 30_000 }),
  letter: createSideProcess<Sheet, Drawn>({ ...usual, workMsMax: 15_000 }),
}

const retryAfterS = 10

/**
 * Makes a PDF in a separate process; workspaces take turns.
 *
 * Throws TEMPLATE_INVALID for a letter that is too large to lay out, and SERVICE_UNAVAILABLE when no turn came or an invoice
 * took too long.
 */
export async function renderPdf(sheet: Sheet, workspaceId: string): Promise<Drawn> {
  try {
    return await renderers[sheet.kind].do(sheet, workspaceId)
  } catch (error) {
    throw toApiError(error, sheet)
  }
}

function toApiError(error: unknown, { kind }: Sheet): unknown {
  if (!(error instanceof SideProcessError) || error.fault === 'FAILED') return error
  if (kind === 'letter' && error.fault === 'TOO_LARGE') return tooMuch(`has more than ${pagesMax.letter} pages`)
  if (kind === 'letter' && error.fault === 'TOO_LONG') return tooMuch('takes too long to lay out')
  return new ApiError('SERVICE_UNAVAILABLE', { message: 'The PDF cannot be made now; please try again', retryAfterS })
}

/** The maximum length of markdown that is laid out. */
const letterCharactersMax = 200_000

/** Refuses the filled text of a letter that is too long to be laid out. */
export function checkLetterLength(markdown: string): void {
  if (markdown.length > letterCharactersMax) throw tooMuch(`has more than ${letterCharactersMax} characters`)
}

function tooMuch(what: string): ApiError {
  const message = `The document ${what}; shorten the template or what it is filled with`
  return new ApiError('TEMPLATE_INVALID', { message, issues: [{ path: ['documentId'], message }] })
}

/** Starts the process for quotes and invoices before the first request, so that the first PDF comes as fast as later ones. */
export function prepareToRender(): void {
  renderers.commercial.prepare()
}
