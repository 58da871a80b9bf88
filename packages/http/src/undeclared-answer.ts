/** The fault of a service whose answer its contract does not declare. */
export class UndeclaredAnswer extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'UndeclaredAnswer'
  }
}
