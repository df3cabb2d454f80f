import type { RequirementId } from '../../../spec/generated/documents.js';
import { readField, show, toFields } from '../../conversation/json.js';
import { type ApiResponse, summarize } from '../http-client/response.js';
import { collectLeaves, readId, readPayload, readRows } from './read-record.js';
import { expectRead, readUntil } from './requests.js';
import type { TestContext } from './test-context.js';

/** Reads account data. The names of its fields are open points (`record.usage`, `record.organisation`, `record.proxy`). */

export function readCredits({ r }: ApiResponse): number | undefined {
  const amounts = collectLeaves(r).filter(({ value }) => typeof value === 'number');
  return amounts.find(({ path }) => /credit|balance/i.test(path) && !/session|browser|used/i.test(path))
    ?.value as number | undefined;
}

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

/** The settings, by the names of their parameters or similar ones. */
export function readTopUpSettings({ r }: ApiResponse): TopUpSettings | undefined {
  const leaves = collectLeaves(r);
  const active = leaves.find(
    ({ name, value }) => typeof value === 'boolean' && /activ|enabl|^on$|auto/i.test(name),
  )?.value;
  // Disabled settings may have no numbers.
  const findNumber = (name: RegExp) => {
    const found = leaves.find((leaf) => name.test(leaf.name));
    return found && (found.value === null ? 0 : found.value);
  };
  const [amount, threshold] = [findNumber(/amount/i), findNumber(/threshold/i)];
  if (typeof active !== 'boolean' || typeof amount !== 'number' || typeof threshold !== 'number')
    return undefined;
  return { active, amount, threshold };
}

/** Possible fields for the name of the organisation. */
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

/** Possible fields for the id of a proxy. */
export const PROXY_IDS = ['proxy_id', 'proxyId', 'id', 'uuid', 'name'];

/** The first proxy with an id, and whether it is renewed automatically. */
export function readProxy(response: ApiResponse): { proxy_id: string; auto_renew: boolean } | undefined {
  for (const row of readRows(readPayload(response)) ?? []) {
    const proxy_id = toFields(row) && readId(row, PROXY_IDS);
    const auto_renew = readField(row, 'auto_renew');
    if (proxy_id !== undefined && typeof auto_renew === 'boolean') return { proxy_id, auto_renew };
  }
  return undefined;
}

type Judgement = boolean | 'refused';

/** An account setting that a case changes and then restores. */
interface Setting<T> {
  /** `the plan`, in messages. */
  what: string;
  requirement: RequirementId;
  /** The original value. */
  old: T;
  /** Values to set, in order. `judge` may remove those that are left. */
  values: readonly T[];
  set: (value: T) => Promise<ApiResponse>;
  /** Checks the response to a change; false if nothing was changed, and `refused` if the next value may be accepted. */
  judge: (changed: ApiResponse, value: T) => Judgement | Promise<Judgement>;
  read: () => Promise<ApiResponse>;
  shows: (response: ApiResponse, value: T) => boolean;
  /** Sends a change that has to be refused. It must change nothing. */
  sendInvalid: () => Promise<ApiResponse>;
}

/** Sets each value and checks that it is stored. The original value is restored when the case ends, also after a failure. */
export async function changeAndRestore<T>(t: TestContext, about: Setting<T>): Promise<void> {
  const { what, requirement, old, values, set, judge, read, shows } = about;
  const setting = restoreLater(t, what, () => set(old));
  let known = old;
  let isFirst = true;
  for (const value of append(values, old)) {
    const change = async () => {
      const { isRestored } = setting;
      setting.isRestored = false;
      const changed = await set(value);
      setting.isRestored = changed.ok ? value === old : isRestored;
      return changed;
    };
    const isShown = (response: ApiResponse) => shows(response, value);
    let changed = await change();
    if (isRefusal(changed)) {
      const isChanged = await expectUnchanged(t, about, known, changed);
      if (isChanged) setting.isRestored = false;
    }
    const judgement = await judge(changed, value);
    if (judgement === 'refused') continue;
    if (!judgement) return;
    // Another user of the account may have changed it in the meantime.
    if (!isShown(await readUntil(t, read, isShown))) changed = await change();
    const expected = `${what} after it was set to ${show(value)}: expected to read that`;
    const shown = await expectRead(t, requirement, read, isShown, expected, changed);
    if (isShown(shown)) known = value;
    if (!isFirst || value === old || !isShown(shown)) continue;
    isFirst = false;
    const invalid = await about.sendInvalid();
    if (!invalid.ok) await expectUnchanged(t, about, value, invalid);
  }
}

function* append<T>(values: readonly T[], last: T): Iterable<T> {
  yield* values;
  yield last;
}

/** The service did not carry out the request. After a server error that is not certain. */
function isRefusal({ status }: ApiResponse): boolean {
  return status >= 400 && status < 500;
}

/** Returns true if the setting shows another value than the known one after a refused change. */
async function expectUnchanged<T>(
  t: TestContext,
  { what, requirement, read, shows }: Setting<T>,
  known: T,
  refused: ApiResponse,
): Promise<boolean> {
  const after = await read();
  const isChanged = after.ok && !shows(after, known);
  const message = `${what}, which was ${show(known)} when a change was refused with ${refused.status}: expected to read the same, got ${summarize(after)}`;
  if (isChanged) t.fail(requirement, message, refused, after);
  return isChanged;
}

/**
 * Restores a setting when the case ends. The case sets `isRestored` to false after a change, and to true once it has restored the
 * setting itself.
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
