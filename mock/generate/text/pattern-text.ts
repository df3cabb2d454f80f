import type { Random } from '../random.js';

/** A regular expression as a tree, as far as it matters for writing texts that match. */
type Expression =
  | { kind: 'set'; ranges: readonly Range[] }
  | { kind: 'sequence'; parts: Expression[] }
  | { kind: 'choice'; branches: Expression[] }
  | { kind: 'repeat'; part: Expression; min: number; max: number };
type Range = readonly [from: number, to: number];

/** Parts visited for one text: repeats of nothing make no text but take time. */
const MOST_VISITS = 10_000;

/** Writes one text; undefined where it would become too long. `extra`: most repeats beyond the least. */
type PatternWriter = (random: Random, extra: number) => string | undefined;

/** Writes texts for a pattern that the linear-time engine has accepted. Each is to be tested against the real pattern. */
export function patternWriter(source: string, longest: number): PatternWriter {
  const tree = readExpression(source);
  return (random, extra) => {
    let text = '';
    let visits = 0;
    return visit(tree) ? text : undefined;

    function visit(node: Expression): boolean {
      if (text.length > longest || ++visits > MOST_VISITS) return false;
      switch (node.kind) {
        case 'set':
          text += characterOf(node.ranges, random);
          return true;
        case 'sequence':
          return node.parts.every(visit);
        case 'choice':
          return visit(random.pick(node.branches));
        case 'repeat': {
          const times = node.min + random.int(0, Math.min(node.max - node.min, extra));
          for (let i = 0; i < times; i++) if (!visit(node.part)) return false;
          return true;
        }
      }
    }
  };
}

/** Ranges count by their width, so that letters do not lose against one dot. */
function characterOf(ranges: readonly Range[], random: Random): string {
  const widths = ranges.map(([low, high]) => Math.max(0, high - low + 1));
  let pick = random.int(0, widths.reduce((sum, width) => sum + width, 0) - 1);
  const range = widths.findIndex((width) => {
    pick -= width;
    return pick < 0;
  });
  return String.fromCodePoint(ranges[range]![1] + 1 + pick);
}

const DIGIT: Range[] = [[48, 57]];
const UPPER: Range[] = [[65, 90]];
const LOWER: Range[] = [[97, 122]];
const WORD: Range[] = [...LOWER, ...UPPER, ...DIGIT, [95, 95]];
const SPACE: Range[] = [[32, 32]];
const PRINTABLE: Range[] = [[32, 126]];
const BEYOND: Range[] = [[161, 383]];
const CONTROLS: Record<string, string> = { t: '\t', n: '\n', v: '\v', f: '\f', r: '\r', 0: '\0' };
const CLASSES: Record<string, Range[]> = {
  d: DIGIT,
  w: WORD,
  s: SPACE,
  D: complement(DIGIT),
  W: complement(WORD),
  S: [...LOWER, ...DIGIT],
};

/** Assertions (`^`, `$`, `\b`) are read as nothing and letter classes as their Latin part. */
function readExpression(source: string): Expression {
  let rest = source;
  /** Takes what the pattern goes on with. */
  const take = (expression: RegExp): RegExpExecArray | null => {
    const match = expression.exec(rest);
    if (match) rest = rest.slice(match[0].length);
    return match;
  };
  return choice();

  function choice(): Expression {
    const branches = [sequence()];
    while (take(/^\|/)) branches.push(sequence());
    return branches.length === 1 ? branches[0]! : { kind: 'choice', branches };
  }

  function sequence(): Expression {
    const parts: Expression[] = [];
    while (rest !== '' && !/^[|)]/.test(rest)) {
      const part = atom();
      if (part) parts.push(repeated(part));
    }
    return { kind: 'sequence', parts };
  }

  function repeated(part: Expression): Expression {
    const counts = take(/^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/);
    if (!counts) return part;
    const [, sign, from, comma, to] = counts;
    const min = sign === undefined ? Number(from) : sign === '+' ? 1 : 0;
    const most = sign === '?' ? 1 : to ? Number(to) : Number.POSITIVE_INFINITY;
    return { kind: 'repeat', part, min, max: sign === undefined && comma === '' ? min : most };
  }

  function atom(): Expression | undefined {
    if (take(/^\((?:\?(?:P?<[^>]*>|[^:)]*:?))?/)) {
      const inner = choice();
      take(/^\)/);
      return inner;
    }
    if (take(/^\[/)) return { kind: 'set', ranges: characterClass() };
    if (take(/^\./)) return { kind: 'set', ranges: [...LOWER, ...DIGIT] };
    if (take(/^(?:[$^]|\\[bBAz])/)) return undefined;
    return { kind: 'set', ranges: character() };
  }

  function characterClass(): Range[] {
    const isNegated = take(/^\^/) !== null;
    const ranges: Range[] = [];
    while (rest !== '' && !take(/^\]/)) {
      const low = character();
      const isFrom = low.length === 1 && low[0]![0] === low[0]![1];
      if (isFrom && take(/^-(?!\])/)) ranges.push([low[0]![0], character()[0]![0]]);
      else ranges.push(...low);
    }
    return isNegated || ranges.length === 0 ? complement(ranges) : ranges;
  }

  /** One character, or the characters that an escape stands for. */
  function character(): readonly Range[] {
    const code = take(/^\\(?:u\{([0-9a-f]+)\}|u([0-9a-f]{4})|x\{?([0-9a-f]{2,})\}?)/i);
    if (code) return single(String.fromCodePoint(Number.parseInt(code[1] ?? code[2] ?? code[3]!, 16)));
    const category = take(/^\\([pP])(?:\{([^}]*)\}|(.))/);
    if (category) {
      const ranges = rangesOf(category[2] ?? category[3]!);
      return category[1] === 'p' ? ranges : complement([...ranges, ...WORD]);
    }
    const [, backslash, char = '\\'] = take(/^(\\?)([\s\S])/u) ?? [];
    return backslash ? (CLASSES[char] ?? single(CONTROLS[char] ?? char)) : single(char);
  }
}

/** The Latin part of a Unicode category. */
function rangesOf(category: string): Range[] {
  if (/^(N|Nd|Number)$/.test(category)) return DIGIT;
  if (category.includes('Lu')) return UPPER;
  return /^[PZS]/.test(category) ? PRINTABLE : LOWER;
}

function single(char: string): Range[] {
  const point = char.codePointAt(0)!;
  return [[point, point]];
}

/** Printable characters outside the ranges: letters and digits when there are any, so that texts stay readable. */
function complement(ranges: readonly Range[]): Range[] {
  for (const from of [[...LOWER, ...DIGIT, ...UPPER], PRINTABLE, BEYOND]) {
    const rest: Range[] = [];
    for (const [low, high] of from) {
      for (let point = low; point <= high; point++) {
        if (!ranges.some(([a, b]) => point >= a && point <= b)) rest.push([point, point]);
      }
    }
    if (rest.length > 0) return rest;
  }
  return [[9, 10]];
}
