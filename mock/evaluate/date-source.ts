/**
 * `Date` on the clock of the session and in UTC, whatever the machine's time zone. Source text, as it runs inside the
 * interpreter: a function that takes what gives the time in ms.
 */
export const DATE_SOURCE = String.raw`
(now) => {
  const Native = globalThis.Date;
  const fields = Native.prototype;
  const ZONE = /(?:Z|GMT|UTC|[+-]\d\d:?\d\d)\s*$/i;
  const parse = (text) => {
    const value = String(text);
    const inUtc = ZONE.test(value) ? NaN : Native.parse(value + 'Z');
    return Number.isNaN(inUtc) ? Native.parse(value) : inUtc;
  };
  const toTime = (value) => (typeof value === 'string' ? parse(value) : Number(value));
  function Date(...given) {
    if (!new.target) return new Date().toString();
    const time = given.length === 0 ? now() : given.length === 1 ? toTime(given[0]) : Native.UTC(...given);
    return Reflect.construct(Native, [time], new.target);
  }
  Date.prototype = fields;
  Date.now = () => now();
  Date.parse = parse;
  Date.UTC = Native.UTC;
  const define = (name, value) => Object.defineProperty(fields, name, { value, writable: true, configurable: true });
  define('constructor', Date);
  define('getTimezoneOffset', () => 0);
  for (const name of Object.getOwnPropertyNames(fields)) {
    if (/^[gs]etUTC/.test(name)) define(name.replace('UTC', ''), fields[name]);
  }
  const texts = {
    Date: (day) => day,
    Time: (_, time) => time,
    '': (day, time) => day + ' ' + time,
  };
  for (const [part, write] of Object.entries(texts)) {
    const show = function () {
      if (Number.isNaN(this.getTime())) return 'Invalid Date';
      const [, weekday, day, month, year, time] = /^(\w+), (\d+) (\w+) (-?\d+) (\S+)/.exec(this.toUTCString());
      return write([weekday, month, day, year].join(' '), time + ' GMT+0000 (Coordinated Universal Time)');
    };
    define('to' + part + 'String', show);
    define('toLocale' + part + 'String', show);
  }
  Object.defineProperty(globalThis, 'Date', { value: Date, writable: true, configurable: true });
}
`;
