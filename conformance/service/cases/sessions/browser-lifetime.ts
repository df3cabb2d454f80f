import { BROWSER_SESSION_LIFETIME_MS } from '../../../../spec/vocabulary.js';
import type { ApiResponse } from '../../http-client/response.js';
import { unlike } from '../../request-builders/read.js';
import { summarize } from '../../test-case/read-task.js';
import { isGone } from '../../test-case/requests.js';
import type { TestCase } from '../../test-case/test-case.js';
import type { TestContext } from '../../test-case/test-context.js';
import { type Browser, closeBrowser, openBrowser } from '../resources/browser.js';
import { make } from '../resources/lifecycle.js';
import { profiles } from '../resources/lifecycles.js';

/** Tolerance before and after the five minutes, ms. */
const MARGIN_MS = 30_000;

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
    const profile = await make(t, profiles);
    const closedAtOnce = await openBrowser(t, profile.id);
    const refusal = await refusalOnceClosed(t, closedAtOnce);
    const late = await openBrowser(t, profile.id);
    const early = await openBrowser(t, profile.id);
    await sleepUntil(t, early.opened.at + BROWSER_SESSION_LIFETIME_MS - MARGIN_MS);
    const before = await closeBrowser(t, early.ids);
    const closable = `DELETE of a browser half a minute before its five minutes are over: expected it to be closed, got ${summarize(before)}`;
    if (!t.expect('LIMIT-04', before.ok, closable, early.opened, before)) return;
    await sleepUntil(t, late.opened.at + BROWSER_SESSION_LIFETIME_MS + MARGIN_MS);
    const after = await closeBrowser(t, late.ids);
    const gone = `DELETE of a browser half a minute after its five minutes were over: expected it to be answered like that of one that was closed before (${summarize(refusal)}), got ${summarize(after)}`;
    t.expect('LIMIT-04', !after.ok || after.r === false, gone, late.opened, refusal, after);
  },
};

/** The response to DELETE of a closed browser. Ends the case where an open one gets the same. */
async function refusalOnceClosed(t: TestContext, { ids }: Browser): Promise<ApiResponse> {
  const never = await closeBrowser(t, [unlike(ids[0]!)]);
  const closed = await closeBrowser(t, ids);
  const again = await closeBrowser(t, ids);
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
