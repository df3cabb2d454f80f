import pico from 'picocolors';
import { type Mark, SIGNS } from '../../spec/signs.js';

export type Palette = ReturnType<typeof pico.createColors>;

/** Terminals get colours, unless NO_COLOR is set. */
export function isColored(
  stream: { isTTY?: boolean | undefined },
  { NO_COLOR, FORCE_COLOR, TERM }: Readonly<Record<string, string | undefined>>,
): boolean {
  const forced = FORCE_COLOR !== undefined && FORCE_COLOR !== '' && FORCE_COLOR !== '0';
  return !NO_COLOR && (forced || (stream.isTTY === true && TERM !== 'dumb'));
}

export function createPalette(colour: boolean): Palette {
  return pico.createColors(colour);
}

/** Colours of outcomes, of advice, and of choices that differ from the default of the mock. */
const COLOURS = {
  passed: 'green',
  failed: 'red',
  flaky: 'yellow',
  error: 'red',
  inconclusive: 'yellow',
  skipped: 'dim',
  known: 'magenta',
  advice: 'cyan',
  unusual: 'yellow',
} as const satisfies Record<Mark, keyof Palette>;

/** Default text: the sign of the mark. */
export function paint(mark: Mark, colours: Palette, text: string = SIGNS[mark]): string {
  return colours[COLOURS[mark]](text);
}
