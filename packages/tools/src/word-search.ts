import { plain } from './in-english.ts'

/** A thing that can be found by words. */
export interface Findable {
  /** Its texts, the most important first; a word of an earlier text counts more. */
  readonly texts: readonly string[]
}

/** Finds things by words, the best first. */
export type WordSearch<Found> = (query: string) => readonly Scored<Found>[]

interface Scored<Found> {
  readonly found: Found
  readonly score: number
  /** The number of the question's significant words in the most important text. */
  readonly named: number
}

/**
 * Everyday words, each with its possible meanings among the words of this product. A word in no line means itself.
 */
const meanings: readonly (readonly [words: string, means: string])[] = [
  ['bill receivable', 'invoice'],
  ['client customer account organisation firm business', 'company contact'],
  ['person people individual', 'contact employee'],
  ['opportunity sale revenue', 'deal'],
  ['pipeline', 'deal pipeline'],
  ['forecast turnover', 'deal summary'],
  ['owe owing unpaid outstanding overdue receivable', 'invoice list'],
  ['value worth sell sold', 'summary deal'],
  ['prospect inquiry enquiry', 'lead'],
  ['todo reminder followup follow action', 'task'],
  ['remind', 'task create'],
  ['call phone ring meeting appointment visit note log email mail message sms', 'activity'],
  ['offer estimate proposal quotation', 'quote'],
  ['purchase', 'order'],
  ['colleague staff teammate user coworker salesperson', 'employee'],
  ['team', 'department employee'],
  ['history happened news audit log', 'timeline feed activity'],
  ['attachment upload picture', 'file upload'],
  ['dedupe dedup double same similar', 'duplicates'],
  ['combine join unify', 'merge'],
  ['count howmany total sum report average statistic chart breakdown', 'summary'],
  ['hand handover reassign transfer assign owner', 'update bulk'],
  ['many several mass all batch', 'bulk'],
  ['add new make register insert record write generate save', 'create'],
  ['log schedule plan book', 'create'],
  ['edit modify change set assign move mark close win lose rename reopen tick raise lower increase reduce', 'update'],
  ['agree yes', 'accept'],
  ['reject refuse no', 'decline'],
  ['deliver ship', 'fulfil'],
  ['undo revert', 'undo reverse'],
  ['allow permit', 'scopes me'],
  ['remove erase drop', 'delete'],
  ['show find look see get view which what who search filter', 'list'],
  ['read detail', 'get'],
  ['paid pay paying money', 'payment'],
  ['pdf print download', 'pdf content'],
  ['qualify turn become', 'convert'],
  ['article item goods service sku', 'product'],
  ['tariff pricing cost discount', 'price'],
  ['vat', 'tax'],
  ['label', 'tag'],
  ['stage step funnel', 'stage pipeline'],
  ['checklist subtask', 'checklist'],
  ['template letter contract', 'document'],
  ['view', 'saved filter'],
  ['me myself whoami permission right', 'me scopes'],
  ['storno refund', 'reverse'],
  ['cancel', 'cancel void reverse'],
]

/** Turns of phrase that mean more than their words, each with the words that say it here. */
const phrases: readonly (readonly [phrase: RegExp, means: string])[] = [
  [/\bhow (?:many|much)\b/gi, 'howmany'],
  [/\b(?:have|need) to do\b|\bto-do\b/gi, 'list todo'],
  [/\b(?:said|says?) (yes|no)\b/gi, '$1'],
  [/\b(?:tick|check) off\b/gi, 'tick checklist'],
  [/\bcomes? from\b/gi, 'summary source'],
  [/\bworks? (?:at|for)\b/gi, 'list contact'],
  [/\bnote down\b/gi, 'note log'],
  [/\bowes? (?:us|me)(?: money)?\b/gi, 'unpaid invoice'],
  // What follows is the text of the task.
  [/\bremind\b.*/gi, 'remind'],
  [/\b(?:cancel|revert|take back) (?:\w+ ){0,2}last (?:action|change|step)\b/gi, 'undo'],
  [/\bwhat (?:would|will) (?:happen|change)\b/gi, 'preview'],
  [/\bwhat (?:has |was )?changed\b|\bchanges\b/gi, 'history'],
  [/\bwrit\w+ off\b|\bnever (?:be )?pa\w+\b/gi, 'uncollectible'],
  [/\b(?:volume|quantity|bulk) (?:discount|price)s?\b/gi, 'tier'],
  [/\b(?:from|by|with) (?:\w+ )?template\b/gi, 'document record'],
  [/\bour (?:own )?(?:company|firm|business)(?='s|\b)/gi, 'organization'],
  [/\b(?:phone|mobile) numbers?\b|\b(?:email|postal) address(?:es)?\b/gi, 'list contact'],
  // What is asked for by something is counted or added up by it.
  [
    /\b(?:by|per) (stage|owner|source|month|week|quarter|year|status|currency|country|person|industry)\b/gi,
    'summary by $1',
  ],
]

/** Words without a meaning for the search. */
const empty = new Set(
  'a an and any as at by do for from how i in into is it its me my of on or our out please per each over how much when where that the their them then there this to up us want we with you your'.split(
    ' ',
  ),
)

/** Verbs that apply to everything: such a word alone finds nothing where the question has another word as well. */
const verbs = new Set(['create', 'update', 'delete', 'list', 'get', 'bulk'].map(stem))

const meaningOf = new Map<string, Set<string>>()
for (const [words, means] of meanings) {
  for (const word of words.split(' ').map(stem)) {
    const known = meaningOf.get(word) ?? new Set<string>()
    for (const meant of means.split(' ')) known.add(stem(meant))
    meaningOf.set(word, known)
  }
}

/** Returns whether the search over these things does anything with a word, if only leave it out. */
export function vocabularyOf(things: readonly Findable[]): (word: string) => boolean {
  const words = new Set([
    ...things.flatMap(({ texts }) => texts.flatMap(wordsOf)),
    ...[...meaningOf].flatMap(([word, means]) => [word, ...means]),
  ])
  return (word) => empty.has(word) || words.has(stem(word))
}

/** Makes the search over things; rare words count more. */
export function wordSearch<Found extends Findable>(things: readonly Found[]): WordSearch<Found> {
  const indexed = things.map((found) => ({ found, weights: weightsOf(found.texts) }))
  const frequency = new Map<string, number>()
  for (const { weights } of indexed)
    for (const word of weights.keys()) frequency.set(word, (frequency.get(word) ?? 0) + 1)
  const rarity = (word: string): number => Math.log(1 + things.length / (1 + (frequency.get(word) ?? 0)))
  return (query) => {
    const asked = wordsOf(plainWords(query)).map(meant)
    const subjects = asked.filter(({ means }) => !means.every((word) => verbs.has(word)))
    const weightOf = (weights: Weights, { itself, means }: Asked): number => {
      const weighed = (word: string) => (weights.get(word) ?? 0) * rarity(word)
      const all = means.map(weighed)
      const best = Math.max(weighed(itself) * ownWeight, ...all)
      return best + Math.max(0, sum(all) - best) * furtherWeight
    }
    const scored = indexed.map(({ found, weights }) => ({
      found,
      score: sum(asked.map((one) => weightOf(weights, one))),
      named: subjects.filter(({ itself, means }) => [itself, ...means].some((word) => weights.get(word) === 1)).length,
      isMeant: subjects.length === 0 || subjects.some((one) => weightOf(weights, one) > 0),
    }))
    return scored.filter(({ score, isMeant }) => score > 0 && isMeant).toSorted((a, b) => b.score - a.score)
  }
}

/** A word of a question, and its possible meanings here. */
interface Asked {
  readonly itself: string
  readonly means: readonly string[]
}

/** The weight of each further meaning: a thing with several meanings of a word fits better than a thing with one. */
const furtherWeight = 0.5

/** The weight of a word itself when it has other meanings. */
const ownWeight = 0.3

function meant(word: string): Asked {
  return { itself: word, means: [...(meaningOf.get(word) ?? [word])] }
}

type Weights = ReadonlyMap<string, number>

/** Returns the weight of each word: the highest in the first text, and counted once. */
function weightsOf(texts: readonly string[]): Weights {
  const weights = new Map<string, number>()
  for (const [at, text] of texts.entries())
    for (const word of wordsOf(text)) weights.set(word, Math.max(weights.get(word) ?? 0, 1 / (at + 1)))
  return weights
}

function plainWords(question: string): string {
  return phrases.reduce((said, [phrase, means]) => said.replaceAll(phrase, means), question)
}

function wordsOf(text: string): readonly string[] {
  const words = plain(text.replaceAll(/([a-z])([A-Z])/g, '$1 $2')).match(/[\p{L}\p{N}]+/gu) ?? []
  return [...new Set(words.filter((word) => !empty.has(word)).map(stem))]
}

/** Returns a word without its English ending. */
function stem(word: string): string {
  if (word.length <= 3) return word
  const singular = word.endsWith('ies') ? `${word.slice(0, -3)}y` : word.replace(/(?<=s|x|ch|sh)es$|(?<=[^s])s$/, '')
  return singular.length > 5 ? singular.replace(/(ing|ed|e)$/, '') : singular
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0)
}
