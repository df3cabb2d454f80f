/** Globals that both vitest and virtual time replace. */
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
