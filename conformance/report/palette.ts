import pico from 'picocolors';
import { type Mark, SIGNS } from '../../spec/signs.js';

export type Palette = ReturnType<typeof pico.createColors>;

/** Whether text for this stream is in colour: in a terminal, unless NO_COLOR says otherwise. */
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

/** The color of an outcome, of a piece of advice, and of a choice that the mock does not make by itself. */
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

/** The text in the colour of the mark; its sign unless a text is given. */
export function paint(mark: Mark, colours: Palette, text: string = SIGNS[mark]): string {
  return colours[COLOURS[mark]](text);
}
