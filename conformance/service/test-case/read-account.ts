import { asFields, field } from '../../conversation/json.js';
import type { ApiResponse } from '../http-client/response.js';
import { idIn, leavesOf, payloadOf, rowsOf } from './read-record.js';

/** Reads what belongs to an account. How its fields are called is open (`record.usage`, `record.organisation`, `record.proxy`). */

/** The balance of API credits in the response to GET /usage. */
export function creditsIn({ r }: ApiResponse): number | undefined {
  const amounts = leavesOf(r).filter(({ value }) => typeof value === 'number');
  return amounts.find(({ path }) => /credit|balance/i.test(path) && !/session|browser|used/i.test(path))
    ?.value as number | undefined;
}

/** The plan in the response to GET /usage. */
export function planIn({ r }: ApiResponse): string | undefined {
  const plan = leavesOf(r).find(
    ({ path, value }) =>
      typeof value === 'string' && /plan|tier|subscription/i.test(path) && !/id$/i.test(path),
  )?.value as string | undefined;
  return plan === '' ? undefined : plan;
}

export interface TopUpSettings {
  active: boolean;
  amount: number;
  threshold: number;
}

/** The settings, by the names of the parameters that set them or by names that tell of them. */
export function topUpSettingsIn({ r }: ApiResponse): TopUpSettings | undefined {
  const leaves = leavesOf(r);
  const active = leaves.find(
    ({ name, value }) => typeof value === 'boolean' && /activ|enabl|^on$|auto/i.test(name),
  )?.value;
  // Settings that are off may have no numbers.
  const number = (name: RegExp) => {
    const found = leaves.find((leaf) => name.test(leaf.name));
    return found && (found.value === null ? 0 : found.value);
  };
  const [amount, threshold] = [number(/amount/i), number(/threshold/i)];
  if (typeof active !== 'boolean' || typeof amount !== 'number' || typeof threshold !== 'number')
    return undefined;
  return { active, amount, threshold };
}

/** Fields that may hold the name of the organisation. */
export const ORGANISATION_NAMES = [
  'name',
  'organisation_name',
  'organization_name',
  'org_name',
  'display_name',
  'title',
];

export function organisationNameIn({ r }: ApiResponse): string | undefined {
  const leaves = leavesOf(r);
  for (const name of ORGANISATION_NAMES) {
    const value = leaves.find((leaf) => leaf.name === name)?.value;
    if (typeof value === 'string' && value.trim() !== '') return value;
  }
  return undefined;
}

/** The first proxy that can be named, and whether it is renewed. */
export function proxyIn(response: ApiResponse): { proxy_id: string; auto_renew: boolean } | undefined {
  for (const row of rowsOf(payloadOf(response)) ?? []) {
    const proxy_id = asFields(row) && idIn(row, ['id', 'proxy_id', 'proxyId', 'uuid', 'name']);
    const auto_renew = field(row, 'auto_renew');
    if (proxy_id !== undefined && typeof auto_renew === 'boolean') return { proxy_id, auto_renew };
  }
  return undefined;
}
