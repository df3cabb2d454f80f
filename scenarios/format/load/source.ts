import {
  Composer,
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type ParsedNode,
  Parser,
  visit,
  type YAMLError,
  YAMLParseError,
} from 'yaml';
import { isTooDeep } from '../../../spec/json.js';
import { formatPath, type Path, type Violation } from '../../../spec/json-schema/violations.js';
import { truncateText } from '../../../spec/show.js';
import { toOneLine } from '../../../spec/visible.js';
import type { Problem } from '../types.js';

export type { Path, Violation };

export const LARGEST_FILE_BYTES = 1024 * 1024;
const MOST_SYNTAX_PROBLEMS = 5;
/** Maximum length of a message of the YAML library, which quotes the unexpected text. */
const LONGEST_WORDING = 200;

/** A file that is included at a path of another file; without `source`, it could not be read. */
interface Mount {
  at: Path;
  source?: Source | undefined;
}

/** A YAML (or JSON) file with the line and column of each value. */
export class Source {
  readonly mounts: Mount[] = [];

  private constructor(
    readonly file: string,
    readonly value: unknown,
    private readonly document: Document.Parsed,
    private readonly lines: LineCounter,
    private readonly isObject: boolean,
  ) {}

  /**
   * Without a `source`, `problems` says why. Limits: 1 MiB, and those of `parseYaml`. `isObject`: the text represents an object, so
   * messages do not refer to it.
   */
  static read(text: string, file: string, isObject = false): { source?: Source; problems: Problem[] } {
    const at = { file, line: 1, column: 1, ...(isObject && { path: '' }) };
    const refuse = (message: string) => ({ problems: [{ ...at, message }] });
    // A UTF-16 unit takes at most three bytes: the exact size is computed only if it may matter.
    const bytes = text.length * 3 > LARGEST_FILE_BYTES ? new TextEncoder().encode(text).length : 0;
    if (bytes > LARGEST_FILE_BYTES) {
      return refuse(`expected a file of at most 1 MiB, found ${bytes} bytes; split it`);
    }
    const plain = text.replace(/^\uFEFF/, '');
    const lineCounter = new LineCounter();
    try {
      const document = parseYaml(plain, lineCounter);
      const errors = [...document.errors, ...document.warnings];
      if (errors.length > 0) return { problems: toLineProblems(errors, plain, file, lineCounter) };
      const value: unknown = document.toJS({ maxAliasCount: MOST_ALIASES });
      // An alias in the value of another anchor adds its levels to those of the text.
      if (isTooDeep(value, DEEPEST_YAML)) return refuse(`expected at most ${DEEPEST_YAML} levels of nesting`);
      return { source: new Source(file, value, document, lineCounter, isObject), problems: [] };
    } catch (error) {
      if (error instanceof YamlLimit) {
        const { message, offset } = error;
        return { problems: [{ ...at, ...toPosition(offset, lineCounter), message }] };
      }
      if (error instanceof ReferenceError)
        return refuse(
          error.message.startsWith('Excessive')
            ? `expected at most ${MOST_ALIASES} uses of aliases (*name): write the values out`
            : 'expected each alias (*name) below the value that has its anchor (&name), found one without',
        );
      return refuse(`not readable as YAML: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  /** Line and column, from 1, of the value at `path` or of its key; of the nearest ancestor if there is none. */
  locate(path: Path, at: 'key' | 'value' = 'value'): { line: number; column: number } {
    let node: unknown = this.document.contents;
    let found: unknown = node;
    for (const [depth, key] of path.entries()) {
      const inside = isAlias(node) ? node.resolve(this.document) : node;
      if (isMap(inside)) {
        const pair = inside.items.find(
          (item) => isScalar(item.key) && String(item.key.value) === String(key),
        );
        if (!pair) break;
        const last = depth === path.length - 1;
        found = (last && at === 'key') || !isNode(pair.value) ? pair.key : pair.value;
        node = pair.value;
      } else if (isSeq(inside)) {
        const item = inside.items[Number(key)];
        if (!isNode(item)) break;
        found = node = item;
      } else break;
    }
    return toPosition(isNode(found) ? (found.range?.[0] ?? 0) : 0, this.lines);
  }

  /** Adds positions. Drops violations inside a file that could not be read: that is a problem of its own. */
  toProblems(violations: readonly Violation[]): Problem[] {
    return violations.flatMap((violation): Problem[] => {
      const { path, at, message } = violation;
      const mount = this.mounts.find((each) => each.at.every((key, index) => path[index] === key));
      if (mount) return mount.source?.toProblems([{ ...violation, path: path.slice(mount.at.length) }]) ?? [];
      const inObject = this.isObject ? { path: formatPath(path) } : {};
      return [{ file: this.file, ...this.locate(path, at), ...inObject, message }];
    });
  }
}

function toPosition(offset: number, lines: LineCounter): { line: number; column: number } {
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(line, 1), column: Math.max(col, 1) };
}

/** One problem per line: one typing error causes several errors. */
function toLineProblems(
  errors: readonly YAMLError[],
  text: string,
  file: string,
  lines: LineCounter,
): Problem[] {
  const problems = new Map<number, Problem>();
  for (const { code, message, pos } of errors) {
    if (problems.size === MOST_SYNTAX_PROBLEMS) break;
    const place = toPosition(pos[0], lines);
    if (problems.has(place.line)) continue;
    const start = lines.lineStarts[place.line - 1] ?? 0;
    const end = lines.lineStarts[place.line] ?? text.length;
    const hasTab = /^ *\t/.test(text.slice(start, end));
    const isSecond = code === 'MULTIPLE_DOCS';
    const wording = isSecond ? 'expected one document, found another after "---"' : message;
    const problem = hasTab ? 'expected spaces, found a tab' : wording;
    problems.set(place.line, {
      file,
      ...place,
      message: `not valid YAML: ${toOneLine(truncateText(problem, LONGEST_WORDING))}`,
    });
  }
  return [...problems.values()];
}

/** Levels of nesting in a file. The composer of the library recurses: thousands of levels abort the process inside V8. */
export const DEEPEST_YAML = 100;
/** Uses of aliases (*name) in a file: the library looks through all anchors for each. */
export const MOST_ALIASES = 100;
/** Lexemes in a file: seven to nine for `key: value` on a line of its own. The library takes 4 µs for each. */
const MOST_LEXEMES = 250_000;
/** Syntax errors, behind which the rest of a text is not read. */
const MOST_ERRORS = 20;
/** What the lexer puts before the text of a plain or block scalar. */
const SCALAR = '\x1f';

/** A text beyond a bound. `offset` is where it exceeds it. */
class YamlLimit extends Error {
  constructor(
    message: string,
    readonly offset: number,
  ) {
    super(message);
  }
}

/**
 * The only way to read YAML: `parseDocument` of the library, in linear time and bounded before anything recurses. Throws YamlLimit.
 */
export function parseYaml(text: string, lineCounter: LineCounter): Document.Parsed {
  // The library compares each key of a mapping with all others.
  const options = { prettyErrors: false, stringKeys: true, uniqueKeys: false, lineCounter };
  const composer = new Composer(options);
  let document: Document.Parsed | undefined;
  for (const each of composer.compose(readTokens(text, lineCounter), true, text.length)) {
    if (document) {
      document.errors.push(new YAMLParseError([...readRange(each)], 'MULTIPLE_DOCS', ''));
      break;
    }
    document = each as Document.Parsed;
  }
  reportRepeatedKeys(document!);
  return document!;
}

function* readTokens(text: string, lines: LineCounter): ReturnType<Parser['parse']> {
  lines.addNewLine(0);
  const parser = new Parser(lines.addNewLine);
  let [aliases, errors] = [0, 0];
  let before = '';
  for (const lexeme of readLexemes(text)) {
    if (lexeme.startsWith('*') && before !== SCALAR && ++aliases > MOST_ALIASES)
      throw new YamlLimit(
        `expected at most ${MOST_ALIASES} uses of aliases (*name): write the values out`,
        parser.offset,
      );
    for (const token of parser.next(lexeme)) {
      if (token.type === 'error' && ++errors > MOST_ERRORS) return;
      yield token;
    }
    if (parser.stack.length > DEEPEST_YAML)
      throw new YamlLimit(`expected at most ${DEEPEST_YAML} levels of nesting`, parser.offset);
    before = lexeme;
  }
  yield* parser.end();
}

/** All at once: the lexer is far quicker than what comes after it. */
function readLexemes(text: string): string[] {
  const lexemes: string[] = [];
  for (const lexeme of new Lexer().lex(text))
    if (lexemes.push(lexeme) > MOST_LEXEMES) throw new YamlLimit('expected fewer values; split the file', 0);
  return lexemes;
}

function readRange({ range }: Document): [number, number] {
  return [range?.[0] ?? 0, range?.[1] ?? 0];
}

function reportRepeatedKeys(document: Document.Parsed): void {
  visit(document, {
    Map(_, { items }) {
      const keys = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        const [start] = (key as ParsedNode).range;
        if (keys.has(key.value))
          document.errors.push(
            new YAMLParseError([start, start + 1], 'DUPLICATE_KEY', 'Map keys must be unique'),
          );
        keys.add(key.value);
      }
    },
  });
}
