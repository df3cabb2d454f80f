import type { Row } from '../draw.js';
import { accountRows } from './account.js';
import { eventRows } from './events.js';
import { taskRows } from './tasks.js';
import { uploadRows } from './uploads.js';
import { workspaceRows } from './workspaces.js';

/** How requests of every operation are drawn. */
export const rows: readonly Row[] = [
  ...taskRows,
  ...eventRows,
  ...uploadRows,
  ...workspaceRows,
  ...accountRows,
];
