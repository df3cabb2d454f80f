/** Names of the library folders and of the suites of checks for a service. */
export const SUITES = [
  'polling',
  'status-codes',
  'tool-calls',
  'sessions',
  'errors',
  'limits',
  'auth',
  'resources',
] as const;

/** Folders of the library. */
export const FOLDERS: readonly string[] = [...SUITES, 'races'];
