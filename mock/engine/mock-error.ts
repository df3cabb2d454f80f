/** Something that the control of a mock was asked for and cannot do. */
export class MockError extends Error {
  constructor(
    /** `missing`: there is no such thing. `invalid`: it was asked in a way that makes no sense. */
    readonly kind: 'missing' | 'invalid',
    /** What was expected, what came, what to do. */
    message: string,
  ) {
    super(message);
    this.name = 'MockError';
  }
}
