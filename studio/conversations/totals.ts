import { SIGNS } from '../../spec/signs.js';
import { formatCount } from '../parts/format.js';
import type { ListTotals } from './list-rows.js';

/**
 * `200 tasks · 3 with findings · 12 running`; for the head of a group `200 · 3 with findings`. Where some tasks have broken rules and
 * others only advice: `9 with findings, 3 ✗`.
 */
export function formatTotals({ tasks, withFindings, failed, running }: ListTotals, isShort = false): string {
  const failures = failed > 0 && failed < withFindings ? `, ${failed} ${SIGNS.failed}` : '';
  return [
    isShort ? String(tasks) : formatCount(tasks, 'task'),
    (withFindings > 0 || !isShort) && `${withFindings} with findings${failures}`,
    running > 0 && `${running} running`,
  ]
    .filter(Boolean)
    .join(' · ');
}
