import { isUtf8 } from 'node:buffer';
import type { Problem } from '../../scenarios/format/types.js';
import { InvalidValue } from '../../spec/json-schema/violations.js';
import type { Exchange, Unrecorded } from '../../spec/vocabulary.js';
import { readExchange } from '../journal/journal-file.js';
import { InvalidFile } from '../options/invalid-file.js';

const EXPECTED = 'expected exchanges as "taskdouble mock --journal" writes them, one JSON object a line';
const MOST_PROBLEMS = 5;
/** Bytes of one line. Bodies are at most 16 MiB, which escapes in JSON make longer. */
const LONGEST_LINE = 128 * 1024 * 1024;
const NEWLINE = 0x0a;
/** Of each line that this version writes. */
const BEGINNING = /^\{"version":\d+,"seq":\d+,/;

/** Reads the exchanges of a journal from its bytes, which may come in pieces of any size. */
export class JournalReader {
  readonly exchanges: Exchange[] = [];
  /** Numbers of lines that their writer was stopped in the middle of: they are left out. */
  readonly tornLines: number[] = [];
  readonly #problems: Problem[] = [];
  #line = 0;
  #pieces: Buffer[] = [];
  #size = 0;
  /** The line before was torn. */
  #isTorn = false;

  constructor(private readonly file: string) {}

  /** Throws InvalidFile once there are too many problems. */
  push(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      this.#keep(chunk.subarray(from, end));
      this.#endLine();
      from = end + 1;
    }
    this.#keep(chunk.subarray(from));
  }

  /** To be called behind the last byte. Throws InvalidFile with the first problems, each with its line. */
  end(): void {
    const before = this.#problems.length;
    this.#endLine();
    // The program that wrote the last line was stopped in the middle of it.
    if (this.#problems.length > before && this.exchanges.length > 0) {
      this.#problems.pop();
      this.tornLines.push(this.#line);
      this.endsEarly();
    }
    if (this.exchanges.length + this.#problems.length === 0)
      this.#add(
        this.#line,
        this.tornLines.length > 0
          ? 'the file is truncated: it ends in the middle of the first exchange; copy the whole file, or record it again'
          : 'found nothing',
      );
    if (this.#problems.length > 0) throw new InvalidFile(this.#problems);
  }

  /** To be called where exchanges are known to have followed the last one. */
  endsEarly(): void {
    markUnrecorded(this.exchanges.at(-1), 'after');
  }

  #keep(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#size += bytes.length;
    this.#pieces.push(bytes);
    if (this.#size <= LONGEST_LINE) return;
    this.#add(this.#line + 1, `found a line of more than ${LONGEST_LINE >> 20} MiB`);
    throw new InvalidFile(this.#problems);
  }

  #endLine(): void {
    const bytes = Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#size = 0;
    this.#line++;
    const problem = this.#read(bytes);
    if (problem === undefined) return;
    this.#add(this.#line, problem);
    if (this.#problems.length > MOST_PROBLEMS) throw new InvalidFile(this.#problems.slice(0, MOST_PROBLEMS));
  }

  #read(bytes: Buffer): string | undefined {
    const text = bytes.toString().trim();
    if (text === '') return undefined;
    if (!isUtf8(bytes)) return 'found bytes that are no UTF-8';
    try {
      const exchange = readExchange(JSON.parse(text), '');
      this.exchanges.push(exchange);
      if (this.#isTorn) markUnrecorded(exchange, 'before');
      this.#isTorn = false;
      return undefined;
    } catch (error) {
      if (error instanceof InvalidValue) return error.message;
      if (!(error instanceof SyntaxError)) throw error;
      // The parser quotes the line, which may hold what does something to a terminal.
      if (!BEGINNING.test(text)) return 'found no JSON';
      this.tornLines.push(this.#line);
      this.#isTorn = true;
      this.endsEarly();
      return undefined;
    }
  }

  #add(line: number, found: string): void {
    this.#problems.push({ file: this.file, line, column: 1, message: `${EXPECTED}; ${found}` });
  }
}

function markUnrecorded(exchange: Exchange | undefined, what: Unrecorded): void {
  if (exchange) exchange.unrecorded = [...new Set(exchange.unrecorded).add(what)];
}
