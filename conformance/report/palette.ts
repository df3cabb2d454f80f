import pico from 'picocolors';
import type { Outcome } from '../service/runner/result.js';

export type Palette = ReturnType<typeof pico.createColors>;

/** Whether text for this stream is in colour: in a terminal, unless NO_COLOR says otherwise. */
export function coloured(
  stream: { isTTY?: boolean | undefined },
  { NO_COLOR, FORCE_COLOR, TERM }: Readonly<Record<string, string | undefined>>,
): boolean {
  const forced = FORCE_COLOR !== undefined && FORCE_COLOR !== '' && FORCE_COLOR !== '0';
  return !NO_COLOR && (forced || (stream.isTTY === true && TERM !== 'dumb'));
}

export function palette(colour: boolean): Palette {
  return pico.createColors(colour);
}

export const MARKS: Readonly<Record<Outcome | 'known', string>> = {
  passed: '✓',
  failed: '✗',
  error: '!',
  inconclusive: '?',
  skipped: '-',
  known: '~',
};

/** The mark of an outcome in its colour. */
export function mark(outcome: Outcome | 'known', colours: Palette): string {
  const paint = {
    passed: colours.green,
    failed: colours.red,
    error: colours.red,
    inconclusive: colours.yellow,
    skipped: colours.dim,
    known: colours.magenta,
  }[outcome];
  return paint(MARKS[outcome]);
}
