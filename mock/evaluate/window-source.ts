import { DATE_SOURCE } from './date-source.js';

/**
 * What a script of `evaluate_js` finds in place of a browser: `window`, `document`, `location`, `navigator`, `console`,
 * `performance`, `setTimeout`, `Date` and `Math.random`. Source text, as it runs inside the interpreter.
 *
 * Evaluates to a function that sets all this up and gives back what the interpreter needs to run a script.
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

  // The elements of the page.
  class Element {
    #name; #attributes; #children; #parent = null;
    constructor(name, attributes, children) {
      this.#name = name;
      this.#attributes = new Map(Object.entries(attributes));
      this.#children = children;
      for (const child of children) if (child instanceof Element) child.#parent = this;
    }
    get tagName() { return this.#name.toUpperCase(); }
    get id() { return this.getAttribute('id') ?? ''; }
    get href() { return this.getAttribute('href') ?? undefined; }
    get parentElement() { return this.#parent; }
    get children() { return this.#children.filter((child) => child instanceof Element); }
    get textContent() {
      return this.#children.map((child) => (child instanceof Element ? child.textContent : child)).join('');
    }
    set textContent(value) { this.#children = [String(value)]; }
    get innerText() { return this.textContent; }
    set innerText(value) { this.textContent = value; }
    get innerHTML() {
      return this.#children.map((child) => (child instanceof Element ? child.outerHTML : escape(child))).join('');
    }
    get outerHTML() {
      const attributes = [...this.#attributes].map(([name, value]) => ' ' + name + '="' + escape(value) + '"');
      return '<' + this.#name + attributes.join('') + '>' + this.innerHTML + '</' + this.#name + '>';
    }
    getAttribute(name) { return this.#attributes.get(String(name)) ?? null; }
    hasAttribute(name) { return this.#attributes.has(String(name)); }
    setAttribute(name, value) { this.#attributes.set(String(name), String(value)); }
    matches(selector) { return matcher(selector)(this); }
    closest(selector) { return this.matches(selector) ? this : (this.#parent?.closest(selector) ?? null); }
    querySelectorAll(selector) {
      const isMatch = matcher(selector);
      const below = (element) => element.children.flatMap((child) => [child, ...below(child)]);
      return below(this).filter(isMatch);
    }
    querySelector(selector) { return this.querySelectorAll(selector)[0] ?? null; }
    click() {}
  }
  const escape = (value) => value.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;');

  // Selectors: a tag, #id, .class and [attribute=value] in any combination, descendants, and lists with commas.
  const COMPOUND = /^(\*|[a-zA-Z][\w-]*)?((?:[#.][\w-]+|\[[\w-]+(?:=(?:"[^"]*"|'[^']*'|[\w-]+))?\])*)$/;
  const matcher = (selector) => {
    const all = String(selector).split(',').map((each) => each.trim().split(/\s+/).map(compound));
    return (element) => all.some((path) => isAt(element, path));
    function compound(part) {
      const [whole, tag, rest] = COMPOUND.exec(part) ?? [];
      if (!whole) {
        const error = new Error("'" + selector + "' is not a selector that this page knows: tag, #id, .class, [attribute], descendants and lists.");
        error.name = 'SyntaxError';
        throw error;
      }
      const tests = rest.match(/[#.][\w-]+|\[[^\]]*\]/g) ?? [];
      return (element) =>
        (!tag || tag === '*' || tag.toUpperCase() === element.tagName) && tests.every((test) => fits(element, test));
    }
    function fits(element, test) {
      if (test[0] === '#') return element.id === test.slice(1);
      if (test[0] === '.') return element.getAttribute('class')?.split(/\s+/).includes(test.slice(1));
      const [name, value] = test.slice(1, -1).split(/=(.*)/s);
      if (value === undefined) return element.hasAttribute(name);
      return element.getAttribute(name) === value.replace(/^(["'])(.*)\1$/s, '$2');
    }
    function isAt(element, path) {
      if (!path[path.length - 1](element)) return false;
      let rest = path.length - 2;
      for (let above = element.parentElement; above && rest >= 0; above = above.parentElement) {
        if (path[rest](above)) rest--;
      }
      return rest < 0;
    }
  };

  const title = new Element('title', {}, [page.title]);
  const body = new Element('body', {}, [
    new Element('h1', {}, [page.title]),
    new Element('p', {}, [page.description]),
    new Element('a', { href: page.url }, [page.title]),
  ]);
  const root = new Element('html', { lang: 'en' }, [new Element('head', {}, [title]), body]);
  const whole = new Element('', {}, [root]);
  const document = {
    get title() { return title.textContent; },
    set title(value) { title.textContent = value; },
    getElementById: (id) => whole.querySelectorAll('[id]').find((element) => element.id === String(id)) ?? null,
    querySelector: (selector) => whole.querySelector(selector),
    querySelectorAll: (selector) => whole.querySelectorAll(selector),
    getElementsByTagName: (name) => whole.querySelectorAll(name),
  };
  const location = { ...place, toString: () => place.href };
  define(document, { documentElement: root, body, location, URL: place.href, readyState: 'complete', cookie: '' });

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
  (${DATE_SOURCE})(() => Math.floor(now));
  Math.random = random;

  const silent = () => {};
  const list = args === null ? [] : Array.isArray(args) ? args : [args];
  define(globalThis, {
    window: globalThis, self: globalThis, top: globalThis, document, location, setTimeout, clearTimeout,
    console: { log: silent, info: silent, warn: silent, error: silent, debug: silent },
    navigator: { userAgent: 'Mozilla/5.0 (X11; Linux x86_64) taskdouble', language: 'en-US' },
    performance: { now: () => now - start, timeOrigin: start },
    Element,
    queueMicrotask: (callback) => void Promise.resolve().then(callback),
    fetch: () => Promise.reject(new TypeError('Failed to fetch')),
    args: args ?? undefined,
  });

  // Methods of arrays loop without ever being interrupted: an array of four billion holes would keep them busy for minutes.
  for (const name of Object.getOwnPropertyNames(Array.prototype)) {
    const method = Array.prototype[name];
    if (typeof method !== 'function' || name === 'constructor') continue;
    const bounded = function (...rest) {
      for (const each of [this, ...rest]) if (each?.length > longestArray) throw new RangeError('Invalid array length');
      return Reflect.apply(method, this, rest);
    };
    define(Array.prototype, { [name]: bounded });
  }

  // What became of the script, as JSON text; undefined while it goes on.
  let outcome;
  const fail = (error) => {
    let message;
    try {
      message = error instanceof Error ? error.name + ': ' + error.message : 'Uncaught ' + String(error);
    } catch {
      message = 'Uncaught exception';
    }
    outcome = stringify({ error: message });
  };
  const succeed = (value) => {
    try {
      outcome = '{"value":' + (stringify(value) ?? 'null') + '}';
    } catch (error) {
      fail(error);
    }
  };
  const finish = (value) => {
    try {
      const result = typeof value === 'function' ? value(...list) : value;
      if (typeof result?.then === 'function') Promise.resolve(result).then(succeed, fail);
      else succeed(result);
    } catch (error) {
      fail(error);
    }
  };
  return { finish, fail, runTimer, outcome: () => outcome };
}
`;
