import type { RequirementId } from '../../../spec/generated/documents.js';
import { show } from '../../conversation/json.js';
import { type ApiResponse, summarize } from '../http-client/response.js';
import { expectRead } from './requests.js';
import type { TestContext } from './test-context.js';

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
export async function changeAndPutBack<T>(t: TestContext, about: Setting<T>): Promise<void> {
  const { what, requirement, old, values, set, judge, read, shows } = about;
  const setting = putBackLater(t, what, () => set(old));
  for (const value of [...values, old]) {
    const { isBack } = setting;
    setting.isBack = false;
    const changed = await set(value);
    setting.isBack = changed.ok ? value === old : isBack;
    if (!(await judge(changed, value))) return;
    const expected = `${what} after it was set to ${show(value)}: expected to read that`;
    await expectRead(t, requirement, read, (response) => shows(response, value), expected, changed);
  }
}

/**
 * Puts a setting back when the case ends. The case sets `isBack` to false once the setting is another, and to true once it has
 * put it back itself.
 */
export function putBackLater(
  t: TestContext,
  what: string,
  putBack: () => Promise<ApiResponse>,
): { isBack: boolean } {
  const setting = { isBack: true };
  t.cleanup(what, async () => {
    const response = setting.isBack ? undefined : await putBack();
    if (response?.ok === false) throw new Error(summarize(response));
  });
  return setting;
}
