import * as s from '../../../spec/json-schema/build-schema.js';
import type { Organisation } from '../organisation.js';

/** A proxy assigned to the organisation by the fixtures: no operation assigns one. Section "Profiles, proxies". */
export type AssignedProxy = s.ValueOf<typeof assignedProxy>;
export const assignedProxy = s.fields({
  id: s.text,
  country: s.text,
  host: s.text,
  port: s.count,
  username: s.text,
  password: s.text,
  auto_renew: s.bool,
  assigned_at: s.instant,
  /** Months paid for since then. Beyond this no date can be named. */
  months: s.integer(0, 100_000),
});

const DAY_MS = 86_400_000;

/** When the proxy expires, ms. */
export function expiryOf(proxy: AssignedProxy): number {
  return addMonths(proxy.assigned_at, proxy.months);
}

/** The proxies of the organisation as they are now: renewed by the month, or released at their expiry. */
export function currentProxies(organisation: Organisation): AssignedProxy[] {
  const { records } = organisation;
  for (const proxy of records.proxies.list()) {
    if (expiryOf(proxy) > organisation.now) continue;
    if (!proxy.auto_renew) records.proxies.delete(proxy.id);
    else while (expiryOf(proxy) <= organisation.now) proxy.months++;
  }
  return records.proxies.list();
}

/** The same day of a later month, or its last day where it is too short. */
function addMonths(from: number, months: number): number {
  const date = new Date(from);
  const year = date.getUTCFullYear();
  const month = date.getUTCMonth() + months;
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(date.getUTCDate(), lastDay)) + (from % DAY_MS);
}
