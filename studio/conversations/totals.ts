import { formatCount } from '../parts/format.js';
import type { ListTotals } from './list-rows.js';

/** `200 tasks · 3 with findings · 12 running`; for the head of a group `200 · 3 with findings`. */
export function formatTotals({ tasks, withFindings, running }: ListTotals, isShort = false): string {
  return [
    isShort ? String(tasks) : formatCount(tasks, 'task'),
    (withFindings > 0 || !isShort) && `${withFindings} with findings`,
    running > 0 && `${running} running`,
  ]
    .filter(Boolean)
    .join(' · ');
}
