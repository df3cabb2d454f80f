import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { findPackageRoot } from '../../scenarios/format/library/package-root.js';
import { isColored } from './palette.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** A stream that text is written to. */
export interface Output {
  write(text: string): unknown;
  isTTY?: boolean | undefined;
  columns?: number | undefined;
}

/** What a stream can show. */
export interface Display {
  isColored: boolean;
  /** Undefined for files and pipes: lines are not wrapped. */
  columns: number | undefined;
  hasLinks: boolean;
}

/** The display of a file. */
export const PLAIN_DISPLAY: Display = { isColored: false, columns: undefined, hasLinks: false };

/** Columns of a terminal that does not report them. */
const COLUMNS = 80;

export function readDisplay(stream: Omit<Output, 'write'>, env: Environment = process.env): Display {
  const isTerminal = stream.isTTY === true;
  return {
    isColored: isColored(stream, env),
    columns: isTerminal ? stream.columns || COLUMNS : undefined,
    hasLinks: isTerminal && canShowLinks(env),
  };
}

const PROGRAMS: ReadonlySet<string | undefined> = new Set([
  'ghostty',
  'iTerm.app',
  'Tabby',
  'vscode',
  'WezTerm',
  'zed',
]);
/** The first version of VTE (GNOME Terminal and others) that shows links without defects. */
const LEAST_VTE = 5002;

/** Whether a terminal supports OSC 8. Multiplexers may not forward it, and logs of CI systems show its characters. */
function canShowLinks(env: Environment): boolean {
  const { FORCE_HYPERLINK, CI, TERM = '', TMUX, STY, TERM_PROGRAM, WT_SESSION, VTE_VERSION } = env;
  if (FORCE_HYPERLINK !== undefined) return FORCE_HYPERLINK !== '0';
  if (CI || TMUX || STY || /^(?:dumb|screen|tmux)/.test(TERM)) return false;
  return (
    PROGRAMS.has(TERM_PROGRAM) ||
    Boolean(WT_SESSION || env.KITTY_WINDOW_ID || env.KONSOLE_VERSION) ||
    Number(VTE_VERSION ?? 0) >= LEAST_VTE ||
    /^(?:alacritty|foot|xterm-kitty|xterm-ghostty)/.test(TERM)
  );
}

/** `text` as a link to an absolute URL. */
export function formatLink(text: string, address: string | undefined, { hasLinks }: Display): string {
  return hasLinks && address !== undefined ? `\u001b]8;;${address}\u0007${text}\u001b]8;;\u0007` : text;
}

/** Address of a section of the requirements in the pages of the package; undefined without these pages. */
export function locateRequirement(section: string): string | undefined {
  const page = join(findPackageRoot(), 'docs/requirements.md');
  const anchor = section
    .toLowerCase()
    .replace(/[^\w -]/g, '')
    .replaceAll(' ', '-');
  return existsSync(page) ? `${pathToFileURL(page).href}#${anchor}` : undefined;
}

/** Before a space between words, and between the fields of compact JSON. */
const BREAK = /(?<=\S)(?= )|(?<=,)(?=["{[])/;
/** Most of a row that is indentation. */
const MOST_INDENT = 1 / 3;

/**
 * The rows of a line on a terminal. They break between words; `hang` is the indentation of all but the first, by default two more than
 * that of the line. A word that does not fit into a row is not broken.
 */
export function wrapLine(line: string, columns: number | undefined, hang?: number): string[] {
  if (columns === undefined || measureWidth(line) <= columns) return [line];
  const own = /^ */.exec(stripVTControlCharacters(line))![0].length;
  const indent = ' '.repeat(Math.min(hang ?? own + 2, Math.floor(columns * MOST_INDENT)));
  const rows: string[] = [];
  let row = '';
  for (const part of line.split(BREAK)) {
    const isEmpty = stripVTControlCharacters(row).trim() === '';
    if (isEmpty || measureWidth(row + part) <= columns) row += part;
    else {
      rows.push(row);
      row = indent + part.trimStart();
    }
  }
  return [...rows, row];
}

export function wrapText(text: string, columns: number | undefined, hang?: number): string {
  return text
    .split('\n')
    .flatMap((line) => wrapLine(line, columns, hang))
    .join('\n');
}

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/gu;
const WITHOUT_WIDTH = /[\p{Mn}\p{Me}]/gu;

/** Columns that a text takes, without escape sequences. */
function measureWidth(text: string): number {
  const shown = stripVTControlCharacters(text).replace(WITHOUT_WIDTH, '');
  return [...shown].length + (shown.match(WIDE)?.length ?? 0);
}
