/** Returns the score of zxcvbn, from 0 to 4, of a password of somebody about whom these words are known. */
export type EstimatePassword = (password: string, known: readonly string[]) => Promise<number>

interface Estimator {
  check(password: string, known: string[]): { readonly score: number }
}

let estimator: Promise<Estimator> | undefined

async function makeEstimator(): Promise<Estimator> {
  const [{ ZxcvbnFactory }, common, english] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
    import('@zxcvbn-ts/language-en'),
  ])
  return new ZxcvbnFactory({
    dictionary: { ...common.dictionary, ...english.dictionary },
    graphs: common.adjacencyGraphs,
  })
}

/** Estimates in this process. The dictionaries are loaded on first use and stay, so a process that serves lets another one do it. */
export const estimateHere: EstimatePassword = async (password, known) => {
  estimator ??= makeEstimator()
  return (await estimator).check(password, [...known]).score
}
