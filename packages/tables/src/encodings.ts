import { analyse } from 'chardet'
import { noLetter, TableError } from './table.ts'

/** The encodings that a file without a mark can be read in, as the WHATWG names them, the most usual first. */
export const encodings = [
  'utf-8',
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'windows-1253',
  'windows-1254',
  'windows-1255',
  'windows-1256',
  'windows-1257',
  'iso-8859-2',
  'iso-8859-7',
  'iso-8859-15',
  'koi8-r',
  'macintosh',
  'shift_jis',
  'euc-jp',
  'gb18030',
  'big5',
  'euc-kr',
  'utf-16le',
  'utf-16be',
] as const
export type Encoding = (typeof encodings)[number]

/** The encodings that a file may be in. */
export interface EncodingGuess {
  /** The most probable first; a file that has a mark or is plain has one. */
  readonly likely: readonly Encoding[]
  /** Whether nobody needs to be asked: the bytes allow nothing else. */
  readonly isSure: boolean
}

const sampleBytes = 256 * 1024

/** Returns the encodings that the bytes of a file may be in. */
export function guessEncoding(bytes: Uint8Array): EncodingGuess {
  const sure = markedEncoding(bytes) ?? (isValid(bytes, 'utf-8') ? 'utf-8' : undefined)
  return sure ? { likely: [sure], isSure: true } : { likely: byPlausibility(bytes), isSure: false }
}

/** Returns the encoding that the first bytes name, or that the zeros of plain letters show. */
function markedEncoding(bytes: Uint8Array): Encoding | undefined {
  const [first, second, third] = bytes
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  const sample = bytes.subarray(0, 1_000)
  const zerosAt = (side: number): number => sample.filter((byte, at) => byte === 0 && at % 2 === side).length
  // Separators and ends of lines alone are more than that; a text of one byte a letter has no zero.
  const many = sample.length / 20
  if (zerosAt(1) > many && zerosAt(0) === 0) return 'utf-16le'
  return zerosAt(0) > many && zerosAt(1) === 0 ? 'utf-16be' : undefined
}

function byPlausibility(bytes: Uint8Array): Encoding[] {
  const sample = sampleWithLetters(bytes)
  const detected = analyse(sample).flatMap(({ name, confidence }) =>
    namesOf(name.toLowerCase()).map((encoding) => ({ encoding, confidence })),
  )
  const judged = encodings
    .filter((encoding) => encoding !== 'utf-8' && !encoding.startsWith('utf-16'))
    .flatMap((encoding, order) => {
      const text = decodeStrictly(sample, encoding)
      const confidence = detected.find((found) => found.encoding === encoding)?.confidence ?? 0
      return text === undefined || hasControls.test(text)
        ? []
        : [{ encoding, order, oddity: oddityOf(text), confidence }]
    })
    .sort((a, b) => a.oddity - b.oddity || b.confidence - a.confidence || a.order - b.order)
    .map(({ encoding }) => encoding)
  // Where no encoding fits the whole file, the lines that are UTF-8 can still come in.
  return judged.length > 0 ? [...judged, 'utf-8'] : ['utf-8', 'windows-1252']
}

/** What the detector calls by a name of ISO is most often what Windows made of it. */
const windowsNames: Readonly<Record<string, readonly string[]>> = {
  'iso-8859-1': ['windows-1252', 'iso-8859-15', 'macintosh'],
  'windows-1252': ['windows-1252', 'macintosh'],
  'iso-8859-2': ['iso-8859-2', 'windows-1250'],
  'iso-8859-5': ['windows-1251'],
  'iso-8859-6': ['windows-1256'],
  'iso-8859-7': ['iso-8859-7', 'windows-1253'],
  'iso-8859-8': ['windows-1255'],
  'iso-8859-8-i': ['windows-1255'],
  'iso-8859-9': ['windows-1254'],
}

function namesOf(detected: string): readonly Encoding[] {
  return (windowsNames[detected] ?? [detected]).filter((name): name is Encoding => encodings.includes(name as Encoding))
}

/** Returns the lines of a file that have more than plain letters, as many as a detector needs. */
function sampleWithLetters(bytes: Uint8Array): Uint8Array {
  if (bytes.length <= sampleBytes) return bytes
  const pieces: Uint8Array[] = []
  let size = 0
  for (const line of linesOf(bytes)) {
    if (size > sampleBytes) break
    if (isPlain(line)) continue
    pieces.push(line)
    size += line.length
  }
  return Buffer.concat(pieces)
}

function isPlain(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte < 0x80)
}

// oxlint-disable-next-line no-control-regex
const hasControls = /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\ufffd]/

/**
 * Returns how much of a text no word has, from 0 to 1, among its places with more than plain letters: a sign between letters, a capital
 * letter behind a small one, three Latin letters in a row that are not plain, or letters of two scripts in one word.
 */
function oddityOf(text: string): number {
  const words = (text.match(/[^\s,;|"']{1,100}/gu) ?? []).filter((word) => /\P{ASCII}/u.test(word))
  if (words.length === 0) return 0
  const odd = words.filter((word) => oddities.some((oddity) => oddity.test(word)) || scriptsOf(word) > 1)
  return Math.round((odd.length / words.length) * 10) / 10
}

const oddities = [
  /\p{L}[^\p{L}\p{M}\p{N}\p{ASCII}’–·・]\p{L}/u,
  /\p{Ll}\p{Lu}|\p{L}(?!\p{ASCII})\p{Lu}\p{Ll}/u,
  /(?:(?!\p{ASCII})\p{Script=Latin}){3}|\p{L}\p{No}\p{L}|\p{Ll}\p{Lo}+\p{Ll}/u,
  // Windows has the letters of Iceland and of Turkey in the same places: thorn begins a word, and no language mixes the two.
  /\p{L}þ|^(?=[^]*[şğı])[^]*[áéíóúæ]/iu,
  /^[^\p{L}\p{M}\p{N}\p{ASCII}«»„“”‚‘’€£¥§°–—(（「]\p{L}/u,
  /\p{L}[^\p{L}\p{M}\p{N}\p{ASCII}«»„“”‚‘’€£¥§°–—…)）」]$/u,
]
const scripts = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Hebrew}/u,
  /\p{Script=Arabic}/u,
]

function scriptsOf(word: string): number {
  return scripts.filter((script) => script.test(word)).length
}

/** Returns the text of a file without its mark; bytes that are no letters in the encoding become `noLetter`. */
export function decode(bytes: Uint8Array, encoding: Encoding): string {
  if (encoding === 'utf-16le') return wellFormed(Buffer.from(bytes).toString('utf16le'))
  if (encoding === 'utf-16be') return wellFormed(Buffer.from(evenPart(bytes)).swap16().toString('utf16le'))
  return withoutMark(decodeStrictly(bytes, encoding) ?? decodeByLine(bytes, encoding))
}

/** Half a letter at the end is no letter; bytes are swapped in pairs. */
function evenPart(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(0, bytes.length - (bytes.length % 2))
}

function wellFormed(text: string): string {
  return withoutMark(text.isWellFormed() ? text : text.replaceAll(/\p{Surrogate}/gu, noLetter))
}

function withoutMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text
}

function decodeByLine(bytes: Uint8Array, encoding: Encoding): string {
  return [...linesOf(bytes)]
    .map(
      (line) =>
        decodeStrictly(line, encoding) ??
        partsOf(line)
          .map((part) => decodePart(part, encoding))
          .join(''),
    )
    .join('')
}

function decodePart(part: Uint8Array, encoding: Encoding): string {
  return (
    decodeStrictly(part, encoding) ??
    [...part].map((byte) => (byte < 0x80 ? String.fromCharCode(byte) : noLetter)).join('')
  )
}

/** Returns a text, or undefined where the bytes are not in the encoding. */
function decodeStrictly(bytes: Uint8Array, encoding: Encoding): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function isValid(bytes: Uint8Array, encoding: Encoding): boolean {
  return decodeStrictly(bytes, encoding) !== undefined
}

const lineEnd = 0x0a

function* linesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let from = 0; from < bytes.length;) {
    const end = bytes.indexOf(lineEnd, from)
    const next = end === -1 ? bytes.length : end + 1
    yield bytes.subarray(from, next)
    from = next
  }
}

const separatorBytes = new Set(Buffer.from('\t,;|"\r\n'))

/** Returns the cells of a line, with their separators as parts of their own. */
function partsOf(line: Uint8Array): Uint8Array[] {
  const parts: Uint8Array[] = []
  let from = 0
  for (const [at, byte] of line.entries()) {
    if (!separatorBytes.has(byte)) continue
    parts.push(line.subarray(from, at), line.subarray(at, at + 1))
    from = at + 1
  }
  return [...parts, line.subarray(from)]
}

/**
 * Decodes a stream by its mark, or as UTF-8, for readers that can ask nobody.
 * @throws TableError for bytes of another encoding, which it names; nothing is replaced.
 */
export async function* decodeMarked(content: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined
  let waiting: Uint8Array = new Uint8Array()
  for await (const piece of content) {
    const bytes = decoder ? piece : Buffer.concat([waiting, piece])
    const isTooShort = !decoder && bytes.length < markBytes
    waiting = isTooShort ? bytes : new Uint8Array()
    if (isTooShort) continue
    decoder ??= new TextDecoder(markedEncoding(bytes) ?? 'utf-8', { fatal: true })
    yield decodePiece(decoder, bytes, true)
  }
  decoder ??= new TextDecoder('utf-8', { fatal: true })
  yield decodePiece(decoder, waiting, false)
}

/** The length of the longest mark. */
const markBytes = 3

function decodePiece(decoder: TextDecoder, bytes: Uint8Array, stream: boolean): string {
  try {
    return decoder.decode(bytes, { stream })
  } catch {
    const [likely] = guessEncoding(bytes).likely
    const encoding = decoder.encoding.toUpperCase()
    throw likely === undefined || likely === decoder.encoding
      ? new TableError('OTHER_ENCODING', { encoding })
      : new TableError('OTHER_ENCODING_LIKE', { encoding, likely })
  }
}

/** A line of a file as two encodings read it. */
export interface DifferentLine {
  readonly line: number
  readonly texts: Readonly<Partial<Record<Encoding, string>>>
}

const lineCharactersShown = 200

/** Returns the first lines that some encodings read differently, so that a person can choose. */
export function differentLines(bytes: Uint8Array, choices: readonly Encoding[], linesMax: number): DifferentLine[] {
  const different: DifferentLine[] = []
  let number = 0
  for (const line of linesOf(bytes)) {
    number += 1
    if (isPlain(line)) continue
    const texts = Object.fromEntries(
      choices.map((choice) => [
        choice,
        decode(line, choice).trimEnd().slice(0, lineCharactersShown).toWellFormed().replaceAll(noLetter, '\ufffd'),
      ]),
    )
    if (new Set(Object.values(texts)).size > 1) different.push({ line: number, texts })
    if (different.length === linesMax) break
  }
  return different
}
