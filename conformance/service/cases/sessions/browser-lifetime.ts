import { BROWSER_SESSION_LIFETIME_MS } from '../../../../spec/vocabulary.js';
import { field } from '../../../conversation/json.js';
import type { ApiResponse } from '../../http-client/response.js';
import { unlike } from '../../request-builders/read.js';
import { summarize } from '../../test-case/read-task.js';
import { isGone, removeLater, shouldSucceed, withBodies } from '../../test-case/requests.js';
import type { TestCase } from '../../test-case/test-case.js';
import type { TestContext } from '../../test-case/test-context.js';
import { idsOf } from '../resources/browser.js';
import { makeProfile, served } from '../resources/profiles.js';

/** Tolerance before and after the five minutes, ms. */
const MARGIN_MS = 30_000;

interface Browser {
  opened: ApiResponse;
  /** Ids in the record, one of which names the browser. */
  ids: string[];
}

const lifetime: TestCase = {
  id: 'limits/browser-lifetime',
  title:
    'A browser that is opened by the deprecated operation can be closed for five minutes, and is gone afterwards',
  covers: ['LIMIT-04'],
  operations: ['createProfile', 'openBrowserSession', 'closeBrowserSession'],
  tasks: 3,
  async run(t: TestContext) {
    const { timeoutMs, longestWaitMs = timeoutMs } = t.settings;
    if (longestWaitMs < BROWSER_SESSION_LIFETIME_MS + 2 * MARGIN_MS)
      return t.inconclusive(
        'such a browser lives for five minutes, and no check waits longer than --timeout: --timeout 6m shows it',
      );
    const profile = await makeProfile(t);
    const closedAtOnce = await open(t, profile.id);
    const refusal = await refusalOnceClosed(t, closedAtOnce);
    const late = await open(t, profile.id);
    const early = await open(t, profile.id);
    await sleepUntil(t, early.opened.at + BROWSER_SESSION_LIFETIME_MS - MARGIN_MS);
    const before = await close(t, early.ids);
    const closable = `DELETE of a browser half a minute before its five minutes are over: expected it to be closed, got ${summarize(before)}`;
    if (!t.expect('LIMIT-04', before.ok, closable, early.opened, before)) return;
    await sleepUntil(t, late.opened.at + BROWSER_SESSION_LIFETIME_MS + MARGIN_MS);
    const after = await close(t, late.ids);
    const gone = `DELETE of a browser half a minute after its five minutes were over: expected it to be answered like that of one that was closed before (${summarize(refusal)}), got ${summarize(after)}`;
    t.expect('LIMIT-04', !after.ok || after.r === false, gone, late.opened, refusal, after);
  },
};

async function open(t: TestContext, profile_id: string): Promise<Browser> {
  const opened = await withBodies(t, 'openBrowserSession', {}, [{ profile_id }, {}]);
  served(t, opened, 'POST /browser/session');
  shouldSucceed(t, 'BROWSER-01', opened, 'POST /browser/session');
  const given = field(opened.r, 'profile_id');
  if (typeof given === 'string' && given !== '' && given !== profile_id)
    removeLater(t, `profile ${given}`, 'deleteProfile', { path: { profile_id: given } });
  const ids = idsOf(opened.r, profile_id);
  if (ids.length === 0) t.inconclusive(`nothing names the browser in ${summarize(opened)}`);
  t.cleanup('open browser', () => close(t, ids));
  return { opened, ids };
}

/** Tries each id until one is accepted; gives the last response otherwise. */
async function close(t: TestContext, ids: readonly string[]): Promise<ApiResponse> {
  let response: ApiResponse | undefined;
  for (const session_id of ids) {
    response = await t.send('closeBrowserSession', { path: { session_id } });
    if (response.ok) break;
  }
  return response!;
}

/** The response to DELETE of a closed browser. Ends the case where an open one gets the same. */
async function refusalOnceClosed(t: TestContext, { ids }: Browser): Promise<ApiResponse> {
  const never = await close(t, [unlike(ids[0]!)]);
  const closed = await close(t, ids);
  const again = await close(t, ids);
  if (isGone(never, closed, again) !== true)
    t.inconclusive(
      `DELETE does not tell whether a browser is open: of an open one it is answered with ${summarize(closed)}, then with ${summarize(again)}`,
    );
  return again;
}

async function sleepUntil(t: TestContext, at: number): Promise<void> {
  await t.sleep(Math.max(0, at - t.now()));
}

export const lifetimeCases: readonly TestCase[] = [lifetime];
