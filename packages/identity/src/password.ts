// Loaded on first use, because most processes that recognise people never see a password.
const argon2 = () => import('@node-rs/argon2')

/** Argon2id with the parameters that OWASP recommends for interactive sign-in. */
const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** Hashes a password with argon2id. */
export async function hashPassword(password: string): Promise<string> {
  const { hash } = await argon2()
  return hash(password, options)
}

let decoy: Promise<string> | undefined

/** Checks a password; without a stored hash it takes the same time and returns false. */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  decoy ??= hashPassword('nobody has this password')
  const { verify } = await argon2()
  const matches = await verify(stored ?? (await decoy), password)
  return stored !== null && matches
}
