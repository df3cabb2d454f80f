import {
  Composer,
  type Document,
  isScalar,
  Lexer,
  type LineCounter,
  type ParsedNode,
  Parser,
  visit,
  YAMLParseError,
} from 'yaml';

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
export class YamlLimit extends Error {
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
