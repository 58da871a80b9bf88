/** Environment variables as the operating system gives them. */
export type Environment = Readonly<Record<string, string | undefined>>
