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
  const toTime = (value) => {
    if (value instanceof Native) return value.getTime();
    const plain = value !== null && typeof value === 'object' ? value[Symbol.toPrimitive]?.('default') ?? value.valueOf() : value;
    return typeof plain === 'string' ? parse(plain) : Number(plain);
  };
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
  for (const name of Object.getOwnPropertyNames(fields)) {
    const local = name.replace('UTC', '');
    if (/^[gs]etUTC/.test(name)) define(local, fields[name]);
  }
  const isValid = (date) => !Number.isNaN(date.getTime());
  const show = (write) => function () {
    return isValid(this) ? write(this, /^(\w+), (\d+) (\w+) (-?\d+) (\S+)/.exec(this.toUTCString())) : 'Invalid Date';
  };
  const day = (_, [, weekday, day, month, year]) => weekday + ' ' + month + ' ' + day + ' ' + year;
  const time = (_, [, , , , , time]) => time + ' GMT+0000 (Coordinated Universal Time)';
  const localDay = (date) => (date.getUTCMonth() + 1) + '/' + date.getUTCDate() + '/' + date.getUTCFullYear();
  const localTime = (date, [, , , , , time]) =>
    ((date.getUTCHours() + 11) % 12 + 1) + time.slice(2) + (date.getUTCHours() < 12 ? ' AM' : ' PM');
  define('getTimezoneOffset', () => 0);
  define('toDateString', show(day));
  define('toTimeString', show(time));
  define('toString', show((date, parts) => day(date, parts) + ' ' + time(date, parts)));
  define('toLocaleDateString', show(localDay));
  define('toLocaleTimeString', show(localTime));
  define('toLocaleString', show((date, parts) => localDay(date) + ', ' + localTime(date, parts)));
  Object.defineProperty(globalThis, 'Date', { value: Date, writable: true, configurable: true });
}
`;
