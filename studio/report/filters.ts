import type { Cause } from '../../conformance/causes/check-result.js';
import type { PageCheck } from '../../conformance/report/formats/html/report-page.js';
import { filterArea, filterCause, filterStatus, filterText, isListShown } from '../selection.js';

/** The checks that match the filters in the address. */
export function filterChecks(checks: readonly PageCheck[], causes: readonly Cause[]): PageCheck[] {
  const text = filterText.value.trim().toLowerCase();
  const [status, area, cause] = [filterStatus.value, filterArea.value, filterCause.value];
  const explained = cause === '' ? undefined : new Set(causes.find(({ id }) => id === cause)?.checks);
  return checks.filter(
    ({ id, mark, suite, title, message, covers }) =>
      (status === '' || mark === status) &&
      (area === '' || suite === area) &&
      (explained === undefined || explained.has(id)) &&
      (text === '' || `${id} ${title} ${message} ${covers.join(' ')}`.toLowerCase().includes(text)),
  );
}

export function clearFilters(): void {
  for (const field of [filterText, filterStatus, filterArea, filterCause]) field.value = '';
}

/** Shows the list with these filters only. */
export function listChecks({ status = '', area = '', cause = '' }): void {
  clearFilters();
  filterStatus.value = status;
  filterArea.value = area;
  filterCause.value = cause;
  isListShown.value = true;
}

export function countMarks(checks: readonly PageCheck[]): Partial<Record<PageCheck['mark'], number>> {
  const counts: Partial<Record<PageCheck['mark'], number>> = {};
  for (const { mark } of checks) counts[mark] = (counts[mark] ?? 0) + 1;
  return counts;
}

/** In display order. */
export const MARKS = Object.keys({
  failed: true,
  error: true,
  known: true,
  flaky: true,
  inconclusive: true,
  passed: true,
  skipped: true,
} satisfies Record<PageCheck['mark'], true>) as PageCheck['mark'][];
