/** Folders of the library, named like the suites. */
export const FOLDERS: readonly string[] = [
  'polling',
  'status-codes',
  'tool-calls',
  'sessions',
  'errors',
  'limits',
  'auth',
  'resources',
  'races',
];
