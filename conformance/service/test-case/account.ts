import type { RequirementId } from '../../../spec/generated/documents.js';
import { readField, show, toFields } from '../../conversation/json.js';
import { type ApiResponse, summarize } from '../http-client/response.js';
import { collectLeaves, readId, readPayload, readRows } from './read-record.js';
import { expectRead, readUntil } from './requests.js';
import type { TestContext } from './test-context.js';

/** Reads what belongs to an account. How its fields are called is open (`record.usage`, `record.organisation`, `record.proxy`). */

/** The balance of API credits in the response to GET /usage. */
export function readCredits({ r }: ApiResponse): number | undefined {
  const amounts = collectLeaves(r).filter(({ value }) => typeof value === 'number');
  return amounts.find(({ path }) => /credit|balance/i.test(path) && !/session|browser|used/i.test(path))
    ?.value as number | undefined;
}

/** The plan in the response to GET /usage. */
export function readPlan({ r }: ApiResponse): string | undefined {
  const plan = collectLeaves(r).find(
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
export function readTopUpSettings({ r }: ApiResponse): TopUpSettings | undefined {
  const leaves = collectLeaves(r);
  const active = leaves.find(
    ({ name, value }) => typeof value === 'boolean' && /activ|enabl|^on$|auto/i.test(name),
  )?.value;
  // Settings that are off may have no numbers.
  const findNumber = (name: RegExp) => {
    const found = leaves.find((leaf) => name.test(leaf.name));
    return found && (found.value === null ? 0 : found.value);
  };
  const [amount, threshold] = [findNumber(/amount/i), findNumber(/threshold/i)];
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

export function readOrganisationName({ r }: ApiResponse): string | undefined {
  const leaves = collectLeaves(r);
  for (const name of ORGANISATION_NAMES) {
    const value = leaves.find((leaf) => leaf.name === name)?.value;
    if (typeof value === 'string' && value.trim() !== '') return value;
  }
  return undefined;
}

/** Fields that may hold the id of a proxy. */
export const PROXY_IDS = ['proxy_id', 'proxyId', 'id', 'uuid', 'name'];

/** The first proxy that can be named, and whether it is renewed. */
export function readProxy(response: ApiResponse): { proxy_id: string; auto_renew: boolean } | undefined {
  for (const row of readRows(readPayload(response)) ?? []) {
    const proxy_id = toFields(row) && readId(row, PROXY_IDS);
    const auto_renew = readField(row, 'auto_renew');
    if (proxy_id !== undefined && typeof auto_renew === 'boolean') return { proxy_id, auto_renew };
  }
  return undefined;
}

/** Something that belongs to an account and is put back after it was changed. */
export interface Setting<T> {
  /** `the plan`, in messages. */
  what: string;
  requirement: RequirementId;
  /** As it was, and is again in the end. */
  old: T;
  /** Set one after the other. */
  values: readonly T[];
  set: (value: T) => Promise<ApiResponse>;
  /** Judges the response to a change; false where nothing was changed. */
  judge: (changed: ApiResponse, value: T) => boolean | Promise<boolean>;
  read: () => Promise<ApiResponse>;
  shows: (response: ApiResponse, value: T) => boolean;
}

/** Each value is remembered once it is set. The old one is set again when the case ends, however it ends. */
export async function changeAndRestore<T>(t: TestContext, about: Setting<T>): Promise<void> {
  const { what, requirement, old, values, set, judge, read, shows } = about;
  const setting = restoreLater(t, what, () => set(old));
  for (const value of [...values, old]) {
    const change = async () => {
      const { isRestored } = setting;
      setting.isRestored = false;
      const changed = await set(value);
      setting.isRestored = changed.ok ? value === old : isRestored;
      return changed;
    };
    const isShown = (response: ApiResponse) => shows(response, value);
    let changed = await change();
    if (!(await judge(changed, value))) return;
    // Another user of the account may have changed it meanwhile.
    if (!isShown(await readUntil(t, read, isShown))) changed = await change();
    const expected = `${what} after it was set to ${show(value)}: expected to read that`;
    await expectRead(t, requirement, read, isShown, expected, changed);
  }
}

/**
 * Puts a setting back when the case ends. The case sets `isRestored` to false once the setting is another, and to true once it has
 * put it back itself.
 */
export function restoreLater(
  t: TestContext,
  what: string,
  restore: () => Promise<ApiResponse>,
): { isRestored: boolean } {
  const setting = { isRestored: true };
  t.cleanup(what, async () => {
    const response = setting.isRestored ? undefined : await restore();
    if (response?.ok === false) throw new Error(summarize(response));
  });
  return setting;
}
