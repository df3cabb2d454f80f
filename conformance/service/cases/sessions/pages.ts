import { show } from '../../../conversation/json.js';
import { awaitResult } from '../../test-case/await-events.js';
import { readCode, readOutput, type TaskHandle } from '../../test-case/read-task.js';
import { expectAction, openSession } from '../../test-case/task-steps.js';
import type { TestCase } from '../../test-case/test-case.js';
import type { TestContext } from '../../test-case/test-context.js';
import { TEXTS } from '../../test-case/texts.js';
import { ACTING } from './sessions.js';

/** Actions that open no page. */
const INTERLUDES: readonly (readonly [name: string, input: Record<string, unknown>])[] = [
  ['evaluate_js', { js: 'throw new Error("on purpose")' }],
  ['extract', { schema: { type: 'object', properties: { title: { type: 'string' } } } }],
];

/** The address of the page, as scripts show it; undefined if they do not. */
async function readAddress(t: TestContext, session: TaskHandle): Promise<string | undefined> {
  const script = { js: 'return location.href' };
  const result = await expectAction(t, session, 'evaluate_js', script, 'SESSION-08');
  const address = result && readCode(result) === 200 ? readOutput(result) : undefined;
  return typeof address === 'string' ? address : undefined;
}

/** The address after a goto; undefined if it cannot be compared: the page was not opened, or scripts do not show it. */
async function visit(t: TestContext, session: TaskHandle, url: string): Promise<string | undefined> {
  const moved = await expectAction(t, session, 'goto', { url }, 'SESSION-06');
  const address = await readAddress(t, session);
  return moved && readCode(moved) === 200 ? address : undefined;
}

async function expectVisit(t: TestContext, session: TaskHandle, url: string): Promise<boolean> {
  const address = await visit(t, session, url);
  if (address === undefined) return false;
  const message = `goto ${url}: expected location.href to be that, got ${show(address)}`;
  return t.expect('SESSION-06', address === new URL(url).href, message, session.last);
}

/** The page is the one of the last goto. */
async function expectAt(t: TestContext, session: TaskHandle, url: string, after: string): Promise<void> {
  const address = await readAddress(t, session);
  const message = `goto ${url}, then ${after}: expected location.href to be that of the goto still, got ${show(address)}`;
  if (address !== undefined)
    t.expect(['SESSION-06', 'SESSION-08'], address === new URL(url).href, message, session.last);
}

/** Reads of the address until the page counts as another one than that of the request. */
const READINGS = 4;

/** The page of a new session may take a while to open. */
async function expectStart(t: TestContext, session: TaskHandle, url: string): Promise<void> {
  await t.pollUntil(session, ({ status }) => status === 'running');
  let address = await readAddress(t, session);
  for (let i = 1; i < READINGS && address !== undefined && address !== new URL(url).href; i++) {
    await t.sleep(t.settings.pollIntervalMs * 2 ** i);
    address = await readAddress(t, session);
  }
  const message = `POST /task with the url ${url}: expected the session to start at that page, got location.href ${show(address)}`;
  if (address !== undefined)
    t.expect('TASK-11', address === new URL(url).href, message, session.created, session.last);
}

const pages: TestCase = {
  id: 'sessions/current-page',
  title:
    'A session starts at its url, goto opens the whole address, and no other action and no other session leaves it',
  covers: ['SESSION-06', 'SESSION-08', 'TASK-11'],
  operations: ACTING,
  tasks: 2,
  async run(t) {
    const session = await openSession(t);
    const page = t.text('page');
    // The site may redirect, and a service may have no location.
    if ((await visit(t, session, page)) !== new URL(page).href) return;
    // No server can redirect a fragment.
    const first = `${page}#first`;
    for (const url of [first, `${page}#second`]) if (!(await expectVisit(t, session, url))) return;
    // Of this site it is known that it redirects no query, and that its page does not open another.
    if (page === TEXTS.page) {
      await expectVisit(t, session, `${page}?q=a%20b%26c&n=0170&n=#third`);
      if (!(await expectVisit(t, session, first))) return;
      await expectAt(t, session, first, 'a script');
      for (const [name, input] of INTERLUDES) {
        const { id, response } = await t.act(session, name, input, { mayBeRefused: true });
        if (response.ok) await awaitResult(t, session, id);
        await expectAt(t, session, first, `${name} ${show(input)}`);
      }
    }
    if (!(await expectVisit(t, session, first))) return;
    const other = await t.createTask({ task: null, url: `${page}#start` });
    await expectStart(t, other, `${page}#start`);
    await expectAt(t, session, first, 'a session that starts elsewhere');
    if (await expectVisit(t, other, `${page}#other`))
      await expectAt(t, session, first, `goto ${page}#other in another session`);
  },
};

export const pageCases: readonly TestCase[] = [pages];
