/** A regular expression as a tree, as far as it matters for writing texts that match. */
export type Expression =
  | { kind: 'set'; ranges: readonly Range[] }
  | { kind: 'sequence'; parts: Expression[] }
  | { kind: 'choice'; branches: Expression[] }
  | { kind: 'repeat'; part: Expression; min: number; max: number };
type Range = readonly [from: number, to: number];

const DIGIT: Range[] = [[48, 57]];
const UPPER: Range[] = [[65, 90]];
const LOWER: Range[] = [[97, 122]];
const WORD: Range[] = [...LOWER, ...UPPER, ...DIGIT, [95, 95]];
const SPACE: Range[] = [[32, 32]];
const PRINTABLE: Range[] = [[32, 126]];
const BEYOND: Range[] = [[161, 383]];
const CONTROLS: Record<string, number> = { t: 9, n: 10, v: 11, f: 12, r: 13, 0: 0 };

/**
 * Reads a pattern that the linear-time engine has accepted. Assertions (`^`, `$`, `\b`) are read as nothing and letter
 * classes as their Latin part: every text made from the tree is tested against the real pattern.
 */
export function readExpression(source: string): Expression {
  const chars = [...source];
  let at = 0;
  const peek = (text: string) => chars.slice(at, at + text.length).join('') === text;
  const skip = (text: string) => {
    const there = peek(text);
    if (there) at += text.length;
    return there;
  };
  const until = (end: string) => {
    const close = chars.indexOf(end, at);
    const text = chars.slice(at, close < 0 ? chars.length : close).join('');
    at += [...text].length + 1;
    return text;
  };
  return choice();

  function choice(): Expression {
    const branches = [sequence()];
    while (skip('|')) branches.push(sequence());
    return branches.length === 1 ? branches[0]! : { kind: 'choice', branches };
  }

  function sequence(): Expression {
    const parts: Expression[] = [];
    while (at < chars.length && !peek('|') && !peek(')')) {
      const part = atom();
      if (part) parts.push(repeated(part));
    }
    return { kind: 'sequence', parts };
  }

  function repeated(part: Expression): Expression {
    let bounds: [number, number] | undefined;
    if (skip('*')) bounds = [0, Number.POSITIVE_INFINITY];
    else if (skip('+')) bounds = [1, Number.POSITIVE_INFINITY];
    else if (skip('?')) bounds = [0, 1];
    else if (peek('{')) {
      const counts = /^\{(\d+)(,(\d*))?\}/.exec(chars.slice(at, at + 12).join(''));
      if (counts) {
        at += counts[0].length;
        const min = Number(counts[1]);
        bounds = [
          min,
          counts[2] === undefined ? min : counts[3] ? Number(counts[3]) : Number.POSITIVE_INFINITY,
        ];
      }
    }
    if (!bounds) return part;
    skip('?');
    return { kind: 'repeat', part, min: bounds[0], max: bounds[1] };
  }

  function atom(): Expression | undefined {
    if (skip('(')) {
      if (skip('?')) {
        if (skip('P<') || skip('<')) until('>');
        else {
          while (at < chars.length && !peek(':') && !peek(')')) at++;
          skip(':');
        }
      }
      const inner = choice();
      skip(')');
      return inner;
    }
    if (skip('[')) return { kind: 'set', ranges: characterClass() };
    if (skip('.')) return { kind: 'set', ranges: [...LOWER, ...DIGIT] };
    if (skip('^') || skip('$') || skip('\\b') || skip('\\B') || skip('\\A') || skip('\\z')) return undefined;
    if (skip('\\')) return { kind: 'set', ranges: escaped() };
    return { kind: 'set', ranges: [single(chars[at++]!)] };
  }

  function characterClass(): Range[] {
    const negated = skip('^');
    const ranges: Range[] = [];
    while (at < chars.length && !peek(']')) {
      const low = skip('\\') ? escaped() : [single(chars[at++]!)];
      const from = low[0]!;
      if (low.length === 1 && from[0] === from[1] && peek('-') && chars[at + 1] !== ']') {
        at++;
        const high = skip('\\') ? escaped() : [single(chars[at++] ?? '-')];
        ranges.push([from[0], high[0]![0]]);
      } else ranges.push(...low);
    }
    at++;
    return negated ? complement(ranges) : ranges.length > 0 ? ranges : complement([]);
  }

  function escaped(): Range[] {
    const char = chars[at++] ?? '\\';
    if (char === 'd') return DIGIT;
    if (char === 'w') return WORD;
    if (char === 's') return SPACE;
    if (char === 'D') return complement(DIGIT);
    if (char === 'W') return complement(WORD);
    if (char === 'S') return [...LOWER, ...DIGIT];
    if (char === 'p' || char === 'P') {
      const name = skip('{') ? until('}') : (chars[at++] ?? '');
      const ranges = /^(N|Nd|Number)$/.test(name)
        ? DIGIT
        : name.includes('Lu')
          ? UPPER
          : /^P|^Z|^S/.test(name)
            ? PRINTABLE
            : LOWER;
      return char === 'p' ? ranges : complement([...ranges, ...WORD]);
    }
    const code = /^(?:u\{([0-9a-f]+)\}|u([0-9a-f]{4})|x([0-9a-f]{2})|x\{([0-9a-f]+)\})/i.exec(
      char + chars.slice(at, at + 10).join(''),
    );
    if (code) {
      at += code[0].length - 1;
      const point = Number.parseInt(code.slice(1).find((digits) => digits !== undefined)!, 16);
      return [[point, point]];
    }
    if (char === 'c')
      return [[(chars[at++]!.charCodeAt(0) & 31) as number, chars[at - 1]!.charCodeAt(0) & 31]];
    const control = CONTROLS[char];
    return [control === undefined ? single(char) : [control, control]];
  }
}

function single(char: string): Range {
  const point = char.codePointAt(0)!;
  return [point, point];
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
