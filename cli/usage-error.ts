/** Something the person at the keyboard can put right: told in one line on stderr, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';

  /** `message`: what was expected, what came, what to do. */
  constructor(message: string) {
    super(message.replace(/\s*\n\s*/g, ' '));
  }
}
