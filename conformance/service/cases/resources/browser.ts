import { BROWSER_SESSION_LIFETIME_MS } from '../../../../spec/vocabulary.js';
import { type ApiResponse, summarize } from '../../http-client/response.js';
import { collectLeaves, createUnknownId } from '../../test-case/read-record.js';
import { isGone, requireOpenSuccess, tryUntilAccepted } from '../../test-case/requests.js';
import type { TestCase } from '../../test-case/test-case.js';
import type { TestContext } from '../../test-case/test-context.js';
import { createNamed } from './lifecycle.js';
import { profiles } from './lifecycles.js';

/** Possible id fields of the browser, most likely first; which one it is is open (`browser.records`). */
const NAMES = ['session_id', 'sessionId', 'live_id', 'liveId', 'browser_id', 'browserId', 'id', 'uuid'];
/** Refusals of an id that may not be that of the browser. */
const NOT_FOUND = [400, 404, 422];

interface OpenedBrowser {
  opened: ApiResponse;
  /** Ids in the record; one of them is that of the browser. */
  ids: string[];
}

/** Opens a browser by the deprecated operation. It is closed when the case ends. */
async function openBrowser(t: TestContext, profile_id: string): Promise<OpenedBrowser> {
  const requests = [{ profile_id }, {}, { profile_id, device: 'desktop', url: null }].map((body) => ({
    body,
  }));
  const opened = await tryUntilAccepted(t, 'openBrowserSession', requests);
  requireOpenSuccess(t, 'BROWSER-01', opened, 'POST /browser/session');
  const ids = listBrowserIds(opened.r, profile_id);
  if (ids.length === 0) t.inconclusive(`nothing names the browser in ${summarize(opened)}`);
  t.cleanup('open browser', () => closeBrowser(t, ids));
  return { opened, ids };
}

/** Tries each id until one is accepted, or refused for another reason; returns the last response. */
async function closeBrowser(t: TestContext, ids: readonly string[]): Promise<ApiResponse> {
  let response: ApiResponse | undefined;
  for (const session_id of ids) {
    response = await t.send('closeBrowserSession', { path: { session_id } });
    if (!NOT_FOUND.includes(response.status)) break;
  }
  return response!;
}

/** Closes a browser that does not exist, then one that is open, and that one again. */
async function closeTwice(t: TestContext, { ids }: Pick<OpenedBrowser, 'ids'>) {
  const never = await closeBrowser(t, [createUnknownId(ids[0]!)]);
  const closed = await closeBrowser(t, ids);
  return { never, closed, again: await closeBrowser(t, ids) };
}

const session: TestCase = {
  id: 'resources/browser-session',
  title: 'The deprecated operations open a browser for a person and close it',
  covers: ['BROWSER-01', 'BROWSER-02'],
  operations: ['createProfile', 'openBrowserSession', 'closeBrowserSession'],
  tasks: 1,
  async run(t) {
    const profile = await createNamed(t, profiles);
    const { opened, ids } = await openBrowser(t, profile.id);
    const { never, closed, again } = await closeTwice(t, { ids });
    // With several ids, none may be that of the browser.
    if (ids.length > 1 && NOT_FOUND.includes(closed.status))
      t.inconclusive(`none of ${ids.join(', ')} closes the browser: ${summarize(closed)}`);
    const message = `DELETE of the browser that was just opened: expected it to be closed, got ${summarize(closed)}`;
    if (!t.expect('BROWSER-02', closed.ok, message, opened, closed)) return;
    const still = `DELETE of an open browser: expected the same response to a second one as for a browser that never existed (${summarize(never)}), got ${summarize(again)}`;
    if (isGone(never, closed, again) === false) t.fail('BROWSER-02', still, never, closed, again);
  },
};

function listBrowserIds(record: unknown, profile: string): string[] {
  const leaves = collectLeaves(record).filter(
    ({ value }) => typeof value === 'string' || typeof value === 'number',
  );
  const named = NAMES.flatMap((name) => leaves.filter((leaf) => leaf.name === name));
  const alike = leaves.filter(({ name }) => /id$/i.test(name) && !/profile/i.test(name));
  const ids = [...named, ...alike].map(({ value }) => String(value));
  return [...new Set(ids)].filter((id) => id !== '' && id !== profile).slice(0, 4);
}

/** Tolerance before and after the five minutes, ms. */
const MARGIN_MS = 30_000;

const lifetime: TestCase = {
  id: 'limits/browser-lifetime',
  title:
    'A browser that is opened by the deprecated operation can be closed for five minutes, and is gone afterwards',
  covers: ['LIMIT-04'],
  operations: ['createProfile', 'openBrowserSession', 'closeBrowserSession'],
  tasks: 3,
  async run(t) {
    const { timeoutMs, longestWaitMs = timeoutMs } = t.settings;
    if (longestWaitMs < BROWSER_SESSION_LIFETIME_MS + 2 * MARGIN_MS)
      return t.inconclusive(
        'such a browser lives for five minutes, and no check waits longer than --timeout: --timeout 6m shows it',
      );
    const profile = await createNamed(t, profiles);
    const { never, closed, again } = await closeTwice(t, await openBrowser(t, profile.id));
    if (isGone(never, closed, again) !== true)
      return t.inconclusive(
        `DELETE does not show whether a browser is open: for an open one the response is ${summarize(closed)}, then ${summarize(again)}`,
      );
    const late = await openBrowser(t, profile.id);
    const early = await openBrowser(t, profile.id);
    const sleepUntil = (at: number) => t.sleep(Math.max(0, at + BROWSER_SESSION_LIFETIME_MS - t.now()));
    await sleepUntil(early.opened.at - MARGIN_MS);
    const before = await closeBrowser(t, early.ids);
    const closable = `DELETE of a browser half a minute before its five minutes are over: expected it to be closed, got ${summarize(before)}`;
    if (!t.expect('LIMIT-04', before.ok, closable, early.opened, before)) return;
    await sleepUntil(late.opened.at + MARGIN_MS);
    const after = await closeBrowser(t, late.ids);
    const gone = `DELETE of a browser half a minute after its five minutes were over: expected the same response as for a closed one (${summarize(again)}), got ${summarize(after)}`;
    t.expect('LIMIT-04', !after.ok || after.r === false, gone, late.opened, again, after);
  },
};

export const browserCases: readonly TestCase[] = [session, lifetime];
