/** The few JavaScript expressions that a page evaluates. */
import { type Json, type JsonObject, sameValue } from './values.js';

export class NotSupported extends Error {}
export class Thrown extends Error {}

const TOKEN =
  /\s*(?:(\d+(?:\.\d+)?)|('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`[^`$]*`)|([A-Za-z_$][\w$]*)|(===|!==|==|!=|<=|>=|&&|\|\||[-+*/%<>!?:.,()[\]{}]))/y;
const LEVELS = [
  ['||'],
  ['&&'],
  ['===', '!==', '==', '!='],
  ['<', '>', '<=', '>='],
  ['+', '-'],
  ['*', '/', '%'],
];

function readTokens(source: string): string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (source.slice(TOKEN.lastIndex).trim() !== '') {
    const found = TOKEN.exec(source);
    if (found === null) throw new NotSupported('This browser only evaluates simple expressions');
    tokens.push(found[0].trim());
  }
  return tokens;
}

function combine(operator: string, left: Json, right: Json): Json {
  if (operator === '+' && (typeof left === 'string' || typeof right === 'string')) return `${left}${right}`;
  const [one, other] = [Number(left), Number(right)];
  const results: Record<string, () => Json> = {
    '+': () => one + other,
    '-': () => one - other,
    '*': () => one * other,
    '/': () => one / other,
    '%': () => one % other,
    '<': () => one < other,
    '>': () => one > other,
    '<=': () => one <= other,
    '>=': () => one >= other,
    '&&': () => (left ? right : left),
    '||': () => left || right,
  };
  const equal = sameValue(left, right);
  return results[operator]?.() ?? (operator.startsWith('!') ? !equal : equal);
}

/** Evaluates one expression: literals, operators, members of the names given. Anything else is not supported. */
export function evaluate(script: string, names: JsonObject): Json {
  let source = script.trim().replace(/;\s*$/, '');
  source = source
    .replace(/^\(\s*\)\s*=>\s*/, '')
    .replace(/^\{\s*(return\s[^{}]*|throw\s[^{}]*?);?\s*\}$/, '$1');
  source = source.replace(/^return\b\s*/, '').replace(/;\s*$/, '');
  const thrown = /^throw\s+(?:new\s+)?(?:\w*Error)?\s*(.*)$/s.exec(source);
  if (thrown !== null) source = thrown[1] ?? '';
  const tokens = readTokens(source);
  let at = 0;
  const take = (token: string) => tokens[at] === token && ++at > 0;
  const expect = (token: string) => {
    if (!take(token)) throw new NotSupported(`This browser does not understand ${tokens[at] ?? 'the end'}`);
  };
  function readList(end: string, readItem: () => void): void {
    while (!take(end)) {
      readItem();
      if (tokens[at] !== end) expect(',');
    }
  }
  function readPrimary(): Json {
    const token = tokens[at++] ?? '';
    if (token === '(') {
      const value = readChoice();
      expect(')');
      return value;
    }
    if (token === '-') return -Number(readMember());
    if (token === '!') return !readMember();
    if (token === '[') {
      const list: Json[] = [];
      readList(']', () => list.push(readChoice()));
      return list;
    }
    if (token === '{') {
      const object: JsonObject = {};
      readList('}', () => {
        const key = (tokens[at++] ?? '').replace(/^['"]|['"]$/g, '');
        expect(':');
        object[key] = readChoice();
      });
      return object;
    }
    if (/^\d/.test(token)) return Number(token);
    if (/^['"`]/.test(token)) return readText(token);
    if (token === 'true' || token === 'false') return token === 'true';
    if (token === 'null' || token === 'undefined') return null;
    if (token === 'window' && take('.')) return readPrimary();
    if (Object.hasOwn(names, token)) return names[token]!;
    if (/^\w/.test(token)) throw new Thrown(`ReferenceError: ${token} is not defined`);
    throw new NotSupported('This browser only evaluates simple expressions');
  }
  function readMember(): Json {
    let value = readPrimary();
    while (tokens[at] === '.' || tokens[at] === '[' || tokens[at] === '(') {
      if (take('(')) throw new NotSupported('This browser does not call functions');
      const bracket = take('[');
      if (!bracket) at++;
      const key = bracket ? readChoice() : (tokens[at++] ?? '');
      if (bracket) expect(']');
      if (value === null) throw new Thrown(`TypeError: Cannot read properties of null (reading '${key}')`);
      const holder: object = Object(value);
      value = Object.hasOwn(holder, String(key)) ? ((holder as JsonObject)[String(key)] ?? null) : null;
    }
    return value;
  }
  function readLevel(level: number): Json {
    const operators = LEVELS[level];
    if (operators === undefined) return readMember();
    let left = readLevel(level + 1);
    while (operators.includes(tokens[at] ?? '')) {
      const operator = tokens[at++]!;
      left = combine(operator, left, readLevel(level + 1));
    }
    return left;
  }
  function readChoice(): Json {
    const condition = readLevel(0);
    if (!take('?')) return condition;
    const yes = readChoice();
    expect(':');
    const no = readChoice();
    return condition ? yes : no;
  }
  if (tokens.length === 0 && thrown === null) return null;
  const value = tokens.length === 0 ? 'Error' : readChoice();
  if (at < tokens.length) throw new NotSupported('This browser only evaluates one simple expression');
  if (thrown !== null) throw new Thrown(typeof value === 'string' ? value : JSON.stringify(value));
  return typeof value === 'number' && !Number.isFinite(value) ? null : value;
}

const ESCAPED: Record<string, string> = { n: '\n', t: '\t', r: '\r', 0: '\0' };
const readText = (token: string) =>
  token
    .slice(1, -1)
    .replace(/\\(?:u([\da-fA-F]{4})|(.))/gs, (_, code?: string, sign?: string) =>
      code === undefined ? (ESCAPED[sign!] ?? sign!) : String.fromCharCode(Number.parseInt(code, 16)),
    );
