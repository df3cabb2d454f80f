/** A request to the control API of a mock that cannot be fulfilled. */
export class MockError extends Error {
  constructor(
    /** `missing`: the named object does not exist. `taken`: its name is in use. `invalid`: the request makes no sense. */
    readonly kind: 'missing' | 'taken' | 'invalid',
    /** What was expected, what was given, what to do. */
    message: string,
  ) {
    super(message);
    this.name = 'MockError';
  }
}
