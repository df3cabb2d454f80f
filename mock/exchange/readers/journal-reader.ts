import { isUtf8 } from 'node:buffer';
import { InvalidFile } from '../../../scenarios/format/invalid-file.js';
import type { Problem } from '../../../scenarios/format/types.js';
import { InvalidValue } from '../../../spec/json-schema/violations.js';
import type { Exchange, UnrecordedPart } from '../../../spec/vocabulary.js';
import { readExchange } from '../journal-file.js';

const EXPECTED = 'expected exchanges as "taskdouble mock --journal" writes them, one JSON object a line';
const MOST_PROBLEMS = 5;
/** Bytes of one line. Bodies are at most 16 MiB, which escapes in JSON make longer. */
const LONGEST_LINE = 128 * 1024 * 1024;
const NEWLINE = 0x0a;
/** Blank lines that are compared at once. */
const BLANK = Buffer.alloc(4096, NEWLINE);

/** Reads the exchanges of a journal from chunks of bytes of any size. */
export class JournalReader {
  readonly exchanges: Exchange[] = [];
  /** The first invalid lines, by number, with their problems. */
  readonly #leftOut = new Map<number, string>();
  #leftOutCount = 0;
  #line = 0;
  #pieces: Buffer[] = [];
  #size = 0;
  /** The previous line was invalid. */
  #isBehindGap = false;

  /** `countBodies` may refuse an exchange by throwing InvalidFile. */
  constructor(
    private readonly file: string,
    private readonly countBodies: (exchange: Exchange) => void = () => {},
  ) {}

  /** Notes about invalid lines, which are left out. */
  get notes(): string[] {
    const notes = [...this.#leftOut].map(([line, found]) => `line ${line} is left out: ${found}`);
    const more = this.#leftOutCount - notes.length;
    return more > 0 ? [...notes, `${more} more lines are left out`] : notes;
  }

  /** Throws InvalidFile if there are too many problems. */
  push(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      if (end === from && this.#size === 0) {
        // A gigabyte of blank lines compresses to a megabyte.
        while (isBlank(chunk, from)) from += BLANK.length;
        while (chunk[from] === NEWLINE) from++;
        this.#line += from - end;
        continue;
      }
      this.#keep(chunk.subarray(from, end));
      this.#endLine();
      from = end + 1;
    }
    this.#keep(chunk.subarray(from));
  }

  /** Call it after the last byte. Throws InvalidFile with the first problems and their lines if there is no exchange. */
  end(): void {
    this.#endLine();
    if (this.exchanges.length > 0) return;
    if (this.#leftOut.size === 0) this.#leftOut.set(this.#line, 'found nothing');
    throw this.#createError();
  }

  /** Call it if exchanges after the last one are known to be missing. */
  markEarlyEnd(): void {
    markUnrecorded(this.exchanges.at(-1), 'after');
  }

  #keep(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#size += bytes.length;
    this.#pieces.push(bytes);
    if (this.#size <= LONGEST_LINE) return;
    this.#leftOut.set(this.#line + 1, `found a line of more than ${LONGEST_LINE >> 20} MiB`);
    throw this.#createError();
  }

  #endLine(): void {
    const [first = BLANK.subarray(0, 0)] = this.#pieces;
    const bytes = this.#pieces.length < 2 ? first : Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#size = 0;
    this.#line++;
    const problem = this.#read(bytes);
    if (problem === undefined) return;
    if (this.#leftOutCount++ < MOST_PROBLEMS) this.#leftOut.set(this.#line, problem);
    this.#isBehindGap = true;
    this.markEarlyEnd();
    if (this.exchanges.length === 0 && this.#leftOutCount >= MOST_PROBLEMS) throw this.#createError();
  }

  #read(bytes: Buffer): string | undefined {
    const text = bytes.toString().trim();
    if (text === '') return undefined;
    if (!isUtf8(bytes)) return 'found invalid UTF-8';
    try {
      const exchange = readExchange(JSON.parse(text), '');
      this.countBodies(exchange);
      this.exchanges.push(exchange);
      if (this.#isBehindGap) markUnrecorded(exchange, 'before');
      this.#isBehindGap = false;
      return undefined;
    } catch (error) {
      if (error instanceof InvalidValue) return error.message;
      // The parser quotes the line, which may contain terminal escape sequences.
      if (error instanceof SyntaxError) return 'found invalid or incomplete JSON';
      throw error;
    }
  }

  #createError(): InvalidFile {
    const problems = [...this.#leftOut].map(
      ([line, found]): Problem => ({ file: this.file, line, column: 1, message: `${EXPECTED}; ${found}` }),
    );
    return new InvalidFile(problems);
  }
}

function isBlank(chunk: Buffer, from: number): boolean {
  const end = from + BLANK.length;
  return end <= chunk.length && BLANK.compare(chunk, from, end) === 0;
}

/** Marks that exchanges before or after this one are known to be missing. */
export function markUnrecorded(exchange: Exchange | undefined, what: UnrecordedPart): void {
  if (exchange) exchange.unrecorded = [...new Set(exchange.unrecorded).add(what)];
}
