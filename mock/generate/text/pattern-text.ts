import type { Random } from '../random.js';

/** A regular expression as a tree, reduced to what generating matching texts needs. */
type Expression =
  | { kind: 'set'; ranges: readonly CharacterRange[] }
  | { kind: 'sequence'; parts: Expression[] }
  | { kind: 'choice'; branches: Expression[] }
  | { kind: 'repeat'; part: Expression; min: number; max: number };
type CharacterRange = readonly [from: number, to: number];

/** Parts visited for one text: repetitions of an empty part add no text but take time. */
const MOST_VISITS = 10_000;

/** Writes one text; undefined if it would become too long. `extra`: most repetitions beyond the minimum. */
type PatternWriter = (random: Random, extra: number) => string | undefined;

/**
 * Writes texts for a pattern that the linear-time engine has accepted. The caller must test each against the
 * real pattern.
 */
export function createPatternWriter(source: string, longest: number): PatternWriter {
  const tree = readExpression(source);
  return (random, extra) => {
    let text = '';
    let visits = 0;
    return visit(tree) ? text : undefined;

    function visit(node: Expression): boolean {
      if (text.length > longest || ++visits > MOST_VISITS) return false;
      switch (node.kind) {
        case 'set':
          text += pickCharacter(node.ranges, random);
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

/** Ranges are weighted by their width, so that one dot does not outweigh the letters. */
function pickCharacter(ranges: readonly CharacterRange[], random: Random): string {
  const widths = ranges.map(([low, high]) => Math.max(0, high - low + 1));
  let pick = random.int(0, widths.reduce((sum, width) => sum + width, 0) - 1);
  const range = widths.findIndex((width) => {
    pick -= width;
    return pick < 0;
  });
  return String.fromCodePoint(ranges[range]![1] + 1 + pick);
}

const DIGIT: CharacterRange[] = [[48, 57]];
const UPPER: CharacterRange[] = [[65, 90]];
const LOWER: CharacterRange[] = [[97, 122]];
const WORD: CharacterRange[] = [...LOWER, ...UPPER, ...DIGIT, [95, 95]];
const SPACE: CharacterRange[] = [[32, 32]];
const PRINTABLE: CharacterRange[] = [[32, 126]];
const BEYOND: CharacterRange[] = [[161, 383]];
const CONTROLS: Record<string, string> = { t: '\t', n: '\n', v: '\v', f: '\f', r: '\r', 0: '\0' };
const CLASSES: Record<string, CharacterRange[]> = {
  d: DIGIT,
  w: WORD,
  s: SPACE,
  D: invertRanges(DIGIT),
  W: invertRanges(WORD),
  S: [...LOWER, ...DIGIT],
};

/** Assertions (`^`, `$`, `\b`) are ignored; letter classes are reduced to their Latin part. */
function readExpression(source: string): Expression {
  let rest = source;
  const consume = (expression: RegExp): RegExpExecArray | null => {
    const match = expression.exec(rest);
    if (match) rest = rest.slice(match[0].length);
    return match;
  };
  return readChoice();

  function readChoice(): Expression {
    const branches = [readSequence()];
    while (consume(/^\|/)) branches.push(readSequence());
    return branches.length === 1 ? branches[0]! : { kind: 'choice', branches };
  }

  function readSequence(): Expression {
    const parts: Expression[] = [];
    while (rest !== '' && !/^[|)]/.test(rest)) {
      const part = readAtom();
      if (part) parts.push(readRepeat(part));
    }
    return { kind: 'sequence', parts };
  }

  function readRepeat(part: Expression): Expression {
    const counts = consume(/^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/);
    if (!counts) return part;
    const [, sign, from, comma, to] = counts;
    const min = sign === undefined ? Number(from) : sign === '+' ? 1 : 0;
    const most = sign === '?' ? 1 : to ? Number(to) : Number.POSITIVE_INFINITY;
    return { kind: 'repeat', part, min, max: sign === undefined && comma === '' ? min : most };
  }

  function readAtom(): Expression | undefined {
    if (consume(/^\((?:\?(?:P?<[^>]*>|[^:)]*:?))?/)) {
      const inner = readChoice();
      consume(/^\)/);
      return inner;
    }
    if (consume(/^\[/)) return { kind: 'set', ranges: readClass() };
    if (consume(/^\./)) return { kind: 'set', ranges: [...LOWER, ...DIGIT] };
    if (consume(/^(?:[$^]|\\[bBAz])/)) return undefined;
    return { kind: 'set', ranges: readCharacter() };
  }

  function readClass(): CharacterRange[] {
    const isNegated = consume(/^\^/) !== null;
    const ranges: CharacterRange[] = [];
    while (rest !== '' && !consume(/^\]/)) {
      const low = readCharacter();
      const isFrom = low.length === 1 && low[0]![0] === low[0]![1];
      if (isFrom && consume(/^-(?!\])/)) ranges.push([low[0]![0], readCharacter()[0]![0]]);
      else ranges.push(...low);
    }
    return isNegated || ranges.length === 0 ? invertRanges(ranges) : ranges;
  }

  /** One character, or the characters of an escape. */
  function readCharacter(): readonly CharacterRange[] {
    const code = consume(/^\\(?:u\{([0-9a-f]+)\}|u([0-9a-f]{4})|x\{?([0-9a-f]{2,})\}?)/i);
    if (code) return toRange(String.fromCodePoint(Number.parseInt(code[1] ?? code[2] ?? code[3]!, 16)));
    const category = consume(/^\\([pP])(?:\{([^}]*)\}|(.))/);
    if (category) {
      const ranges = readCategory(category[2] ?? category[3]!);
      return category[1] === 'p' ? ranges : invertRanges([...ranges, ...WORD]);
    }
    const [, backslash, char = '\\'] = consume(/^(\\?)([\s\S])/u) ?? [];
    return backslash ? (CLASSES[char] ?? toRange(CONTROLS[char] ?? char)) : toRange(char);
  }
}

function readCategory(category: string): CharacterRange[] {
  if (/^(N|Nd|Number)$/.test(category)) return DIGIT;
  if (category.includes('Lu')) return UPPER;
  return /^[PZS]/.test(category) ? PRINTABLE : LOWER;
}

function toRange(char: string): CharacterRange[] {
  const point = char.codePointAt(0)!;
  return [[point, point]];
}

/**
 * Printable characters outside the ranges: letters and digits if there are any, so that texts stay readable.
 */
function invertRanges(ranges: readonly CharacterRange[]): CharacterRange[] {
  for (const from of [[...LOWER, ...DIGIT, ...UPPER], PRINTABLE, BEYOND]) {
    const rest: CharacterRange[] = [];
    for (const [low, high] of from) {
      for (let point = low; point <= high; point++) {
        if (!ranges.some(([a, b]) => point >= a && point <= b)) rest.push([point, point]);
      }
    }
    if (rest.length > 0) return rest;
  }
  return [[9, 10]];
}
