/** What vitest can fake and virtual time stands in for. */
export const FAKEABLE = [
  'setTimeout',
  'clearTimeout',
  'setInterval',
  'clearInterval',
  'setImmediate',
  'clearImmediate',
  'Date',
  'performance',
  'hrtime',
  'queueMicrotask',
] as const;
