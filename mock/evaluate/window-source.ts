/**
 * The environment of an `evaluate_js` script in place of a browser: `window`, `document`, `location`,
 * `navigator`, `console`, `performance`, `setTimeout`, `Date` and `Math.random`. It is source text, because
 * it runs inside the interpreter.
 *
 * Evaluates to a function that defines the environment and returns the functions that the interpreter needs
 * to run a script.
 */
export const WINDOW_SOURCE = String.raw`
(text, random) => {
  'use strict';
  const { parse, stringify } = JSON;
  const { page, location: place, args, start, longestArray } = parse(text);
  let now = start;
  const define = (target, values) => {
    for (const name of Object.keys(values)) {
      Object.defineProperty(target, name, { value: values[name], writable: true, configurable: true });
    }
  };

  // The elements of the page. They cannot be changed.
  class Element {
    #name; #attributes; #children;
    parentElement = null;
    constructor(name, attributes, ...children) {
      this.#name = name;
      this.#attributes = attributes;
      this.#children = children;
      Object.defineProperty(this, 'parentElement', { enumerable: false });
      for (const child of this.children) child.parentElement = this;
    }
    get tagName() { return this.#name.toUpperCase(); }
    get href() { return this.#attributes.href; }
    get children() { return this.#children.filter((child) => child instanceof Element); }
    get textContent() { return this.#children.map((child) => child.textContent ?? child).join(''); }
    get innerText() { return this.textContent; }
    get innerHTML() { return this.#children.map((child) => child.outerHTML ?? escape(child)).join(''); }
    get outerHTML() {
      const attributes = Object.entries(this.#attributes).map(([name, value]) => ' ' + name + '="' + escape(value) + '"');
      return '<' + this.#name + attributes.join('') + '>' + this.innerHTML + '</' + this.#name + '>';
    }
    getAttribute(name) { return this.#attributes[name] ?? null; }
    matches(selector) { return matcher(selector)(this); }
    closest(selector) { return this.matches(selector) ? this : (this.parentElement?.closest(selector) ?? null); }
    querySelectorAll(selector) {
      const below = (element) => element.children.flatMap((child) => [child, ...below(child)]);
      return below(this).filter(matcher(selector));
    }
    querySelector(selector) { return this.querySelectorAll(selector)[0] ?? null; }
    click() {}
  }
  const escape = (value) => value.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;');

  // Selectors: a tag, #id, .class and [attribute=value] in any combination, descendants, and lists with commas.
  const SIMPLE = /^[a-zA-Z][\w-]*|^\*|#[\w-]+|\.[\w-]+|\[[\w-]+(?:=(?:"[^"]*"|'[^']*'|[\w-]+))?\]/g;
  const matcher = (selector) => {
    const paths = String(selector).split(',').map((path) => path.trim().split(/\s+/).map(compound));
    return (element) => paths.some((path) => {
      const [last, ...above] = [...path].reverse();
      return last(element) && above.every((test) => hasAncestor(element, test));
    });
    function compound(part) {
      const tests = part.match(SIMPLE) ?? [];
      if (part !== '' && tests.join('') === part) return (element) => tests.every((test) => fits(element, test));
      const error = new Error("'" + selector + "' is not a selector that this page knows: tag, #id, .class, [attribute], descendants and lists.");
      error.name = 'SyntaxError';
      throw error;
    }
    function fits(element, test) {
      // No element has an id or a class.
      if (test[0] === '#' || test[0] === '.') return false;
      if (test[0] !== '[') return test === '*' || test.toUpperCase() === element.tagName;
      const [name, value] = test.slice(1, -1).split(/=(.*)/s);
      const found = element.getAttribute(name);
      return value === undefined ? found !== null : found === value.replace(/^(["'])(.*)\1$/s, '$2');
    }
    function hasAncestor({ parentElement: above }, test) {
      return above !== null && (test(above) || hasAncestor(above, test));
    }
  };

  const link = new Element('a', { href: page.url }, page.title);
  const body = new Element('body', {}, new Element('h1', {}, page.title), new Element('p', {}, page.description), link);
  const head = new Element('head', {}, new Element('title', {}, page.title));
  const root = new Element('html', { lang: 'en' }, head, body);
  const whole = new Element('', {}, root);
  root.parentElement = null;
  const location = { ...place, toString: () => place.href };
  const document = {
    title: page.title, documentElement: root, head, body, location, URL: place.href, readyState: 'complete', cookie: '',
    getElementById: () => null,
    querySelector: (selector) => whole.querySelector(selector),
    querySelectorAll: (selector) => whole.querySelectorAll(selector),
    getElementsByTagName: (name) => whole.querySelectorAll(name),
  };

  // Time passes only while a script waits for a timer.
  const timers = new Map();
  let lastTimer = 0;
  const setTimeout = (callback, delay_ms, ...rest) => {
    timers.set(++lastTimer, { at: now + Math.max(0, Number(delay_ms) || 0), call: () => callback(...rest) });
    return lastTimer;
  };
  const clearTimeout = (id) => void timers.delete(id);
  const runTimer = () => {
    let next;
    for (const [id, { at }] of timers) if (next === undefined || at < timers.get(next).at) next = id;
    if (next === undefined) return false;
    const { at, call } = timers.get(next);
    timers.delete(next);
    now = Math.max(now, at);
    call();
    return true;
  };

  // Dates on the clock of the session, in UTC independent of the time zone of the machine.
  const HAS_ZONE = /(?:Z|GMT|UTC|[+-]\d\d:?\d\d)\s*$/i;
  const NativeDate = globalThis.Date;
  const parseDate = (value) => {
    const inUtc = HAS_ZONE.test(value) ? NaN : NativeDate.parse(value + 'Z');
    return Number.isNaN(inUtc) ? NativeDate.parse(value) : inUtc;
  };
  class Date extends NativeDate {
    constructor(...given) {
      const [first = Math.floor(now)] = given;
      if (given.length > 1) super(NativeDate.UTC(...given));
      else super(typeof first === 'string' ? parseDate(first) : first);
    }
    static now = () => Math.floor(now);
    static parse = (value) => parseDate(String(value));
    getTimezoneOffset() { return 0; }
  }
  for (const name of Object.getOwnPropertyNames(NativeDate.prototype)) {
    if (/^[gs]etUTC/.test(name)) define(Date.prototype, { [name.replace('UTC', '')]: NativeDate.prototype[name] });
    if (/^to(Locale)?(Date|Time)?String$/.test(name)) define(Date.prototype, { [name]() { return this.toUTCString(); } });
  }
  Math.random = random;

  const silent = () => {};
  const list = args === null ? [] : Array.isArray(args) ? args : [args];
  define(globalThis, {
    window: globalThis, self: globalThis, top: globalThis, document, location, setTimeout, clearTimeout, Date, Element,
    console: { log: silent, info: silent, warn: silent, error: silent, debug: silent },
    navigator: { userAgent: 'Mozilla/5.0 (X11; Linux x86_64) taskdouble', language: 'en-US' },
    performance: { now: () => now - start, timeOrigin: start },
    queueMicrotask: (callback) => void Promise.resolve().then(callback),
    fetch: () => Promise.reject(new TypeError('Failed to fetch')),
    args: args ?? undefined,
  });

  // Array methods loop without interruption: an array of four billion holes would keep them busy for minutes.
  for (const name of Object.getOwnPropertyNames(Array.prototype)) {
    const method = Array.prototype[name];
    if (typeof method !== 'function' || name === 'constructor') continue;
    const bounded = function (...rest) {
      for (const each of [this, ...rest]) if (each?.length > longestArray) throw new RangeError('Invalid array length');
      return Reflect.apply(method, this, rest);
    };
    define(Array.prototype, { [name]: bounded });
  }

  // The outcome of the script as JSON text; undefined while it runs.
  let outcome;
  const fail = (error) => {
    const message = error instanceof Error ? error.name + ': ' + error.message : 'Uncaught ' + String(error);
    outcome = stringify({ error: message });
  };
  const finish = async (value) => {
    try {
      const result = await (typeof value === 'function' ? value(...list) : value);
      outcome = '{"value":' + (stringify(result) ?? 'null') + '}';
    } catch (error) {
      fail(error);
    }
  };
  return { finish, fail, runTimer, outcome: () => outcome };
}
`;
