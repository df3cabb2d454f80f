import type { Json, Outcome } from './ledger.js';

class Unsupported extends Error {}
class Thrown extends Error {}
type Value = unknown;

const methods: Record<string, (self: never, ...rest: never[]) => Value> = {
  toUpperCase: (self: string) => String(self).toUpperCase(),
  toLowerCase: (self: string) => String(self).toLowerCase(),
  trim: (self: string) => String(self).trim(),
  includes: (self: string | Value[], part: never) => (self as Value[]).includes(part),
  join: (self: Value[], by: string) => self.join(by),
  toString: (self: Value) => String(self),
};

const binary: Array<Record<string, (a: never, b: never) => Value>> = [
  { '||': (a, b) => a || b },
  { '&&': (a, b) => a && b },
  { '===': (a, b) => a === b, '!==': (a, b) => a !== b, '==': (a, b) => a === b, '!=': (a, b) => a !== b },
  { '<': (a, b) => a < b, '>': (a, b) => a > b, '<=': (a, b) => a <= b, '>=': (a, b) => a >= b },
  { '+': (a, b) => (a as number) + (b as number), '-': (a, b) => (a as number) - (b as number) },
  {
    '*': (a: number, b: number) => a * b,
    '/': (a: number, b: number) => a / b,
    '%': (a: number, b: number) => a % b,
  },
];

const tokenForm =
  /\s*(?:(\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)|("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|([A-Za-z_$][\w$]*)|(=>|[=!]==?|[<>]=|&&|\|\||[-+*/%()[\]{}.,:;?<>!=]))/y;

/** What a browser knows and this evaluator does not: no reference error is claimed for it. */
const beyond = new Set(
  'while for if do switch try function class async await yield delete void this Promise Array Object Date RegExp Map Set fetch navigator console localStorage setTimeout eval globalThis'.split(
    ' ',
  ),
);

/** Simple expressions only: everything else is refused by name. */
class Script {
  readonly #tokens: string[] = [];
  #next = 0;

  constructor(
    text: string,
    readonly scope: Map<string, Value>,
  ) {
    tokenForm.lastIndex = 0;
    const source = text.replaceAll(/("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|\/\/[^\n]*/g, '$1').trimEnd();
    while (tokenForm.lastIndex < source.length) {
      const from = tokenForm.lastIndex;
      const found = tokenForm.exec(source);
      if (!found) throw new Unsupported(`not supported: ${source.slice(from, from + 20)}`);
      this.#tokens.push(found[0].trimStart());
    }
  }

  #take(token: string): boolean {
    if (this.#tokens[this.#next] !== token) return false;
    this.#next += 1;
    return true;
  }

  #want(token: string): void {
    if (!this.#take(token))
      throw new Unsupported(`not supported near ${this.#tokens[this.#next] ?? 'the end'}`);
  }

  #isArrow(): boolean {
    if (this.#tokens[this.#next] !== '(') return false;
    const close = this.#tokens.indexOf(')', this.#next);
    return close > 0 && this.#tokens[close + 1] === '=>';
  }

  run(): Value {
    let last: Value;
    if (this.#isArrow()) this.#enterArrow();
    while (this.#next < this.#tokens.length) {
      if (this.#take(';') || this.#take('}')) continue;
      if (this.#take('return')) return this.#tokens[this.#next] === ';' ? undefined : this.#level(-1);
      if (this.#take('throw')) throw new Thrown(String(this.#level(-1)));
      if (this.#take('const') || this.#take('let') || this.#take('var')) {
        const name = this.#tokens[this.#next++]!;
        this.#want('=');
        this.scope.set(name, this.#level(-1));
      } else {
        last = this.#level(-1);
        const following = this.#tokens[this.#next];
        if (following !== undefined && following !== ';' && following !== '}') this.#want(';');
      }
    }
    return last;
  }

  #enterArrow(): void {
    this.#want('(');
    const args = this.scope.get('args');
    for (let index = 0; !this.#take(')'); index++) {
      const name = this.#tokens[this.#next++]!;
      this.scope.set(name, Array.isArray(args) ? args[index] : index === 0 ? args : undefined);
      this.#take(',');
    }
    this.#want('=>');
    this.#take('{');
  }

  #level(level: number): Value {
    if (level === -1) {
      const condition = this.#level(0);
      if (!this.#take('?')) return condition;
      const yes = this.#level(-1);
      this.#want(':');
      const no = this.#level(-1);
      return condition ? yes : no;
    }
    const operators = binary[level];
    if (!operators) return this.#unary();
    let left = this.#level(level + 1);
    for (;;) {
      const token = this.#tokens[this.#next] ?? '';
      if (!Object.hasOwn(operators, token)) return left;
      this.#next += 1;
      left = operators[token]!(left as never, this.#level(level + 1) as never);
    }
  }

  #unary(): Value {
    if (this.#take('-')) return -(this.#unary() as number);
    if (this.#take('!')) return !this.#unary();
    if (this.#take('typeof')) return typeof this.#unary();
    this.#take('new');
    let value = this.#primary();
    let self: Value;
    for (;;) {
      if (this.#take('.')) {
        [self, value] = [value, this.#member(value, this.#tokens[this.#next++]!)];
      } else if (this.#take('[')) {
        [self, value] = [value, this.#member(value, String(this.#level(-1)))];
        this.#want(']');
      } else if (this.#take('(')) {
        const rest = this.#list(')');
        if (typeof value !== 'function') throw new Unsupported('not supported: this call');
        value = (value as (...all: Value[]) => Value)(
          ...(Object.values(methods).includes(value as never) ? [self, ...rest] : rest),
        );
      } else return value;
    }
  }

  #member(target: Value, name: string): Value {
    if (target === null || target === undefined)
      throw new Thrown(`TypeError: cannot read ${name} of ${target}`);
    if ((typeof target === 'string' || Array.isArray(target)) && Object.hasOwn(methods, name))
      return methods[name];
    return Object.hasOwn(Object(target), name) ? (target as Record<string, Value>)[name] : undefined;
  }

  #list(close: string): Value[] {
    const all: Value[] = [];
    while (!this.#take(close)) {
      all.push(this.#level(-1));
      if (this.#tokens[this.#next] !== close) this.#want(',');
    }
    return all;
  }

  #primary(): Value {
    const token = this.#tokens[this.#next++] ?? '';
    if (/^\d/.test(token)) return Number(token);
    if (token.startsWith('"')) return JSON.parse(token);
    if (token.startsWith("'"))
      return JSON.parse(`"${token.slice(1, -1).replaceAll("\\'", "'").replaceAll('"', '\\"')}"`);
    if (token === '[') return this.#list(']');
    if (token === '(') {
      const value = this.#level(-1);
      this.#want(')');
      return value;
    }
    if (token === '{') {
      const made: Record<string, Value> = {};
      while (!this.#take('}')) {
        const name = this.#tokens[this.#next++]!.replaceAll(/^['"]|['"]$/g, '');
        made[name] = this.#take(':') ? this.#level(-1) : this.scope.get(name);
        this.#take(',');
      }
      return made;
    }
    if (this.scope.has(token)) return this.scope.get(token);
    if (beyond.has(token)) throw new Unsupported(`not supported: ${token}`);
    if (/^[A-Za-z_$]/.test(token)) throw new Thrown(`ReferenceError: ${token} is not defined`);
    throw new Unsupported(`not supported near ${token || 'the end'}`);
  }
}

export function evaluateScript(js: string, args: Json, page: string, title: string): Outcome {
  const place = { href: page };
  const document = {
    title,
    URL: page,
    location: place,
    querySelector: () => null,
    querySelectorAll: () => [],
  };
  const fail = (message: Value) => `Error: ${message ?? ''}`;
  const scope = new Map<string, Value>([
    ...Object.entries({
      args,
      arguments: [args],
      document,
      location: place,
      true: true,
      false: false,
      null: null,
    }),
    ...Object.entries({
      window: { document, location: place },
      undefined,
      Error: fail,
      TypeError: fail,
      String,
      Number,
    }),
    ['JSON', { stringify: (value: Value) => JSON.stringify(value) }],
    ['Math', { max: Math.max, min: Math.min, abs: Math.abs, round: Math.round, floor: Math.floor }],
  ]);
  try {
    const value = new Script(js, scope).run();
    return { code: 200, output: (JSON.parse(JSON.stringify(value) ?? 'null') ?? null) as Json };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { code: error instanceof Unsupported ? 400 : 500, output: message };
  }
}
