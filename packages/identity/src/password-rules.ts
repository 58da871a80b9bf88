import { hash } from 'node:crypto'
import { open, type FileHandle } from 'node:fs/promises'
import { estimateHere, type EstimatePassword } from './password-estimate.ts'

/** A reason why a password is refused, with its sentence for people. */
export const passwordProblems = {
  TOO_SHORT: 'The password is too short',
  TOO_COMMON: 'The password is easy to guess; a few words that do not belong together are better',
  BREACHED: 'The password is known from a break-in elsewhere',
  CONTAINS_IDENTITY: 'The password contains the name or the email address',
} as const
export type PasswordProblem = keyof typeof passwordProblems

/** The person whose password it is to be. */
export interface PasswordOwner {
  readonly email: string
  readonly firstName?: string | null
  readonly lastName?: string | null
}

export interface PasswordRules {
  /** The least number of characters. */
  readonly minLength: number
  /** A file of SHA-1 digests of breached passwords: hexadecimal, sorted, one a line; a count may follow after a colon. */
  readonly breachedFile?: string
  /** The estimate of how easy a password is to guess; in this process by default. */
  readonly estimate?: EstimatePassword
}

/** The least score of zxcvbn, from 0 to 4; 3 stands for more than 10^8 guesses. */
const scoreMin = 3
/** The estimate grows with the square of the length, and the first part is enough to be strong. */
const estimatedCharactersMax = 64
/** Shorter names are parts of too many words. */
const namePartMin = 3

/** Returns every reason against a password, in a fixed order. */
export async function findPasswordProblems(
  password: string,
  owner: PasswordOwner,
  { minLength, breachedFile, estimate = estimateHere }: PasswordRules,
): Promise<PasswordProblem[]> {
  const isBreached = breachedFile !== undefined && (await isListed(breachedFile, password))
  const found: Record<PasswordProblem, boolean> = {
    TOO_SHORT: Array.from(password).length < minLength,
    TOO_COMMON: (await estimate(password.slice(0, estimatedCharactersMax), identityOf(owner))) < scoreMin,
    BREACHED: isBreached,
    CONTAINS_IDENTITY: containsIdentity(password, owner),
  }
  return (Object.keys(passwordProblems) as PasswordProblem[]).filter((problem) => found[problem])
}

function containsIdentity(password: string, owner: PasswordOwner): boolean {
  const text = folded(password)
  return identityOf(owner).some((part) => part.length >= namePartMin && text.includes(part))
}

function identityOf({ email, firstName, lastName }: PasswordOwner): string[] {
  const local = email.slice(0, email.lastIndexOf('@'))
  return [local, ...[firstName, lastName].flatMap((name) => name?.split(/\s+/) ?? [])].map(folded).filter(Boolean)
}

/** Writes a text without case and accents. */
function folded(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
}

const digestLength = 40
/** Longer than any line of a list. */
const lineMax = 64

/** Looks for a password in a sorted list of digests; a list of any size takes some thirty short reads. */
async function isListed(file: string, password: string): Promise<boolean> {
  const wanted = hash('sha1', password, 'hex').toUpperCase()
  const list = await open(file)
  try {
    let from = 0
    let to = (await list.stat()).size
    while (from < to) {
      const middle = Math.floor((from + to) / 2)
      const line = await lineAt(list, middle)
      if (line.digest === wanted) return true
      if (line.digest < wanted) from = line.end
      else to = line.start
    }
    return false
  } finally {
    await list.close()
  }
}

/** Reads the line that holds a byte of a file. */
async function lineAt(
  list: FileHandle,
  at: number,
): Promise<{ readonly digest: string; readonly start: number; readonly end: number }> {
  const begin = Math.max(0, at - lineMax)
  const { buffer, bytesRead } = await list.read(Buffer.alloc(2 * lineMax), 0, 2 * lineMax, begin)
  const text = buffer.toString('latin1', 0, bytesRead)
  const within = at - begin
  const start = within === 0 ? 0 : text.lastIndexOf('\n', within - 1) + 1
  const newline = text.indexOf('\n', within)
  const end = newline === -1 ? bytesRead : newline + 1
  return { digest: text.slice(start, start + digestLength).toUpperCase(), start: begin + start, end: begin + end }
}
