import {
  type Document,
  type DocumentOptions,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type ParseOptions,
  parseDocument,
  type ScalarTag,
  type SchemaOptions,
  type YAMLError,
} from 'yaml';
import type { Path, Violation } from '../../../spec/json-schema/violations.js';
import type { Problem } from '../types.js';

export type { Path, Violation };

/** Whether `path` leads to what `prefix` leads to, or into it. */
export function startsWith(path: Path, prefix: Path): boolean {
  return prefix.every((key, index) => path[index] === key);
}

export const LARGEST_FILE_BYTES = 1024 * 1024;
const MOST_ALIASES = 100;
const MOST_SYNTAX_PROBLEMS = 5;
const NO_JSON = 'expected a number that JSON can carry';
/** `.nan` and `.inf` are YAML, but no JSON. */
const NOT_FINITE: ScalarTag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  test: /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/,
  resolve: (text, onError) => onError(`${NO_JSON}, found ${text}`),
};
const OPTIONS: ParseOptions & DocumentOptions & SchemaOptions = {
  prettyErrors: false,
  stringKeys: true,
  customTags: (tags) => [NOT_FINITE, ...tags],
};

/** A YAML (or JSON) file with the line and column of each value. */
export class Source {
  private constructor(
    readonly file: string,
    readonly value: unknown,
    private readonly document: Document,
    private readonly lines: LineCounter,
    private readonly isObject: boolean,
  ) {}

  /**
   * Reads the text of a file. Without a `source` the problems say why. Bounds: 1 MiB, 100 uses of aliases.
   * `isObject`: it represents an object, so messages do not refer to this text.
   */
  static read(text: string, file: string, isObject = false): { source?: Source; problems: Problem[] } {
    const at = { file, line: 1, column: 1, ...(isObject && { path: '' }) };
    const fault = (message: string) => ({ problems: [{ ...at, message }] });
    // Measured only where it may matter: no character takes more than three bytes for each unit of its length.
    const bytes = text.length * 3 > LARGEST_FILE_BYTES ? new TextEncoder().encode(text).length : 0;
    if (bytes > LARGEST_FILE_BYTES) {
      return fault(`expected a file of at most 1 MiB, found ${bytes} bytes; split it`);
    }
    const plain = text.replace(/^\uFEFF/, '');
    const lines = new LineCounter();
    try {
      const document = parseDocument(plain, { ...OPTIONS, lineCounter: lines });
      const problems = explainAll([...document.errors, ...document.warnings], plain, file, lines);
      if (problems.length > 0) return { problems };
      const value: unknown = document.toJS({ maxAliasCount: MOST_ALIASES });
      return { source: new Source(file, value, document, lines, isObject), problems: [] };
    } catch (error) {
      if (error instanceof RangeError) return fault('expected a file that is nested less deeply');
      if (error instanceof ReferenceError)
        return fault(`expected at most ${MOST_ALIASES} uses of aliases (*name): write the values out`);
      return fault(`not readable as YAML: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  /** Line and column, from 1, of the value that `path` leads to, or of its key; of what is nearest where it ends early. */
  place(path: Path, at: 'key' | 'value' = 'value'): { line: number; column: number } {
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
    const start = isNode(found) ? ((found as Node).range?.[0] ?? 0) : 0;
    const { line, col } = this.lines.linePos(start);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  }

  problem({ path, at, message }: Violation): Problem {
    return {
      file: this.file,
      ...this.place(path, at),
      ...(this.isObject && { path: pathText(path) }),
      message,
    };
  }
}

/** `timeline[2].after`. */
function pathText(path: Path): string {
  const words = path.map((key) =>
    /^[A-Za-z_$][\w$]*$/.test(`${key}`) ? `.${key}` : `[${JSON.stringify(key)}]`,
  );
  return words.join('').replace(/^\./, '');
}

/** One problem a line: one slip of the pen makes several errors. */
function explainAll(errors: YAMLError[], text: string, file: string, lines: LineCounter): Problem[] {
  const problems = new Map<number, Problem>();
  for (const error of errors) {
    const place = lines.linePos(error.pos[0]);
    const line = Math.max(place.line, 1);
    const start = lines.lineStarts[line - 1] ?? 0;
    const tab = /^ *\t/.exec(text.slice(start, start + 200));
    const column = tab ? tab[0].length : Math.max(place.col, 1);
    const message = tab ? 'expected spaces, found a tab: YAML is indented with spaces' : explain(error, text);
    if (!problems.has(line)) problems.set(line, { file, line, column, message });
  }
  return [...problems.values()].slice(0, MOST_SYNTAX_PROBLEMS);
}

function explain({ code, message, pos }: YAMLError, text: string): string {
  if (code === 'DUPLICATE_KEY') {
    const key = /^[^:\n]*/.exec(text.slice(pos[0]))?.[0].trim() ?? '';
    return `the key "${key}" is there twice; keep one`;
  }
  if (code === 'MULTIPLE_DOCS')
    return 'expected one document, found another after "---": put it in a file of its own';
  if (code !== 'TAG_RESOLVE_FAILED') return `not valid YAML: ${message}`;
  return message.startsWith(NO_JSON) ? message : `expected plain YAML, found a tag: ${message}`;
}
