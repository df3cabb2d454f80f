import { isTerminal } from '../../spec/vocabulary.js';
import { findRefusal } from '../admin/admin.js';
import { toWire } from '../admin/admin-request.js';
import { viewTask } from '../control/views.js';
import type { Organisation } from '../engine/organisation.js';
import { endOldSessions } from '../engine/resources/profiles.js';
import { settle } from '../engine/tasks/lifecycle.js';
import type { Task } from '../engine/tasks/task.js';
import { PAGES } from '../exchange/route.js';
import {
  createJsonResponse,
  type MaybePromise,
  type WireRequest,
  type WireResponse,
} from '../exchange/wire.js';
import type { MockService } from '../service.js';
import { escapeHtml } from './studio-page.js';

const PATH = new RegExp(`^/(?:(${PAGES.join('|')})/([^/]+))?$`);

/** Most events on a page: the latest. */
const MOST_EVENTS = 1000;
/** Most tasks of one organisation on the start page, newest first. */
const MOST_TASKS = 50;
/** How often a live page reloads, in seconds. */
const REFRESH_S = 2;

interface PageContent {
  title: string;
  data: object;
  /** The browser reloads the page regularly. */
  isLive?: boolean;
}

type PageFinder = (organisation: Organisation, id: string) => PageContent | Promise<WireResponse> | undefined;

/** Finds the content of each kind of page in the organisation that owns `id`. */
const FINDERS: Readonly<Record<(typeof PAGES)[number], PageFinder>> = {
  live(organisation, id) {
    const { records } = organisation;
    const task = organisation.tasks.get(id);
    if (task) return { title: 'Live', data: redactTask(task), isLive: !isTerminal(task.status) };
    endOldSessions(organisation);
    const session = records.browserSessions.get(id);
    return session && { title: 'Interactive browser', data: session, isLive: true };
  },
  recordings(organisation, id) {
    const task = organisation.tasks.get(id);
    return task && { title: 'Recording', data: redactTask(task) };
  },
  downloads(organisation, name) {
    const task = organisation.tasks.get(name.replace(/\.zip$/, ''));
    return task && name.endsWith('.zip') ? archiveTask(task) : undefined;
  },
  billing({ account: { id: own, name, plan, credits, auto_top_up } }, id) {
    if (own !== id) return undefined;
    const about = 'A stand-in for the billing portal: POST /topup and POST /plan change these values.';
    return { title: `Billing of ${name}`, data: { about, name, plan, credits, auto_top_up } };
  },
  invite({ records, account }, id) {
    const invite = records.invites.list().find(({ link }) => link.endsWith(`/invite/${id}`));
    if (!invite) return undefined;
    const { email, count } = invite;
    return { title: `${account.name} invites ${email}`, data: { organisation: account.name, email, count } };
  },
};

/**
 * The pages to which addresses in API responses lead: JSON for a client that accepts only JSON, else the same within HTML. Anyone with an
 * id may open its page, as in the real service; pages never show keys.
 */
export function servePage(
  service: MockService,
  request: WireRequest,
): MaybePromise<WireResponse> | undefined {
  const [isPage, kind, id = ''] = PATH.exec(request.url.split('?', 1)[0]!) ?? [];
  if (isPage === undefined) return undefined;
  const record = (response: WireResponse) => {
    service.recorder?.recordPage(request, response);
    return response;
  };
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    const detail = `${request.method} is not allowed here, only GET.`;
    const headers = { 'content-type': 'application/json', allow: 'GET, HEAD' };
    return record(createJsonResponse(405, { detail }, headers));
  }
  const page =
    kind === undefined
      ? createStartPage(service, request)
      : findPage(service, kind as (typeof PAGES)[number], id);
  return page instanceof Promise ? page.then(record) : record(renderPage(request, page));
}

function findPage(
  { organisations }: MockService,
  kind: (typeof PAGES)[number],
  id: string,
): ReturnType<PageFinder> {
  for (const organisation of organisations.selectOpen(undefined)) {
    const found = FINDERS[kind](organisation, id);
    if (found) return found;
  }
  return undefined;
}

/** Lists tasks only if the admin API is accessible without a token. */
function createStartPage({ origin, organisations: all }: MockService, request: WireRequest): PageContent {
  const isTrusted = findRefusal(request, undefined) === undefined;
  const organisations = (isTrusted ? all.selectOpen(undefined) : []).map(({ name, tasks: every }) => {
    const tasks = [...every.values()].slice(-MOST_TASKS).reverse();
    return { name, tasks: tasks.map(({ id, status }) => ({ id, status, page: `/live/${id}` })) };
  });
  return {
    title: 'taskdouble: mock of the Browser Automation Task Service API',
    data: {
      api: `${origin}/api/v1`,
      admin: `${origin}/__admin`,
      try: `curl -s ${origin}/api/v1/usage -H 'apikey: demo'`,
      organisations,
    },
  };
}

/** The internal state of a task, without the passwords and secrets that the client sent. */
function redactTask(task: Task): object {
  const view = viewTask(task);
  const shown = toWire({ ...view, events: view.events.slice(-MOST_EVENTS) });
  const redacted = JSON.stringify(shown, (name, value) =>
    /password|secret|token|certificates/i.test(name) ? '<redacted>' : value,
  );
  return JSON.parse(redacted);
}

/** The downloads of a task as a ZIP: its output and its events. The same task results in the same bytes. */
async function archiveTask(task: Task): Promise<WireResponse> {
  const { strToU8, zipSync } = await import('fflate');
  settle(task);
  const encodeFile = (value: unknown) => strToU8(`${JSON.stringify(value ?? null, null, 2)}\n`);
  const files = { 'output.json': encodeFile(task.output), 'events.json': encodeFile(task.log.list()) };
  const headers = {
    'content-type': 'application/zip',
    'content-disposition': `attachment; filename="${task.id}.zip"`,
    'x-content-type-options': 'nosniff',
  };
  return { status: 200, headers, body: zipSync(files, { mtime: new Date(2026, 0, 1) }) };
}

const JSON_HEADERS = { 'content-type': 'application/json', 'cache-control': 'no-store' };

/** No scripts, no external resources. Any page may embed a live view. */
const HTML_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

function renderPage({ headers: { accept = '' } }: WireRequest, page: PageContent | undefined): WireResponse {
  const status = page ? 200 : 404;
  const { title, data, isLive = false } = page ?? NOT_FOUND;
  if (/\bapplication\/json\b/i.test(accept) && !/\btext\/html\b/i.test(accept))
    return createJsonResponse(status, data, JSON_HEADERS);
  const text = escapeHtml(JSON.stringify(data, null, 2));
  const linked = text.replace(/&quot;(\/live\/[\w-]+)&quot;/g, '<a href="$1">$1</a>');
  const refresh = isLive ? `<meta http-equiv="refresh" content="${REFRESH_S}">` : '';
  const body = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">${refresh}<title>${escapeHtml(title)}</title></head>
<body><h1>${escapeHtml(title)}</h1><pre>${linked}</pre></body></html>
`;
  return { status, headers: { ...HTML_HEADERS }, body };
}

const NOT_FOUND: PageContent = {
  title: 'Not found',
  data: { detail: 'There is no such task, session, open browser, portal or newest invitation.' },
};
