/** Suites: what the folders of the library and the checks of a service are named by. */
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
