/**
 * Makes a function that returns its earlier result for an equal input. A schema never changes, and thousands of equal schemas would fill
 * the memory of every process that reads the contract.
 */
export function oncePerInput<Input, Made>(make: (input: Input) => Made): (input: Input) => Made {
  // Bounded: the inputs are declarations, and no request makes one.
  const known = new Map<string, Made>()
  return (input) => {
    const key = JSON.stringify(input)
    const made = known.get(key) ?? make(input)
    known.set(key, made)
    return made
  }
}
