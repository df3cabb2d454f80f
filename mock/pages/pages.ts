import { refusal } from '../admin/admin.js';
import type { Organisation } from '../engine/organisation.js';
import { endOldSessions } from '../engine/resources/browser-sessions.js';
import { json, type MaybePromise, type WireRequest, type WireResponse } from '../pipeline/wire.js';
import type { MockService } from '../service.js';
import { archive } from './archive.js';
import { html, renderPage } from './html.js';
import { describeTask } from './task-page.js';
import {
  type View,
  viewBilling,
  viewBrowser,
  viewInvite,
  viewLive,
  viewRecording,
  viewStart,
} from './views.js';

const PATH = /^\/(?:(live|recordings|downloads|billing|invite)\/([^/]+))?$/;

type PageFinder = (organisation: Organisation, id: string) => View | MaybePromise<WireResponse> | undefined;

/** What each kind of page shows of the organisation that holds `id`. */
const PAGES: Readonly<Record<string, PageFinder>> = {
  live(organisation, id) {
    const { world, records } = organisation;
    const task = world.tasks.get(id);
    if (task) return viewLive(describeTask(organisation, task), world.now);
    endOldSessions(organisation);
    const session = records.browserSessions.get(id);
    return session && viewBrowser(session, world.now);
  },
  recordings(organisation, id) {
    const task = organisation.world.tasks.get(id);
    return task && viewRecording(describeTask(organisation, task));
  },
  downloads(organisation, name) {
    const task = name.endsWith('.zip')
      ? organisation.world.tasks.get(name.slice(0, -'.zip'.length))
      : undefined;
    return task && archive(describeTask(organisation, task, true));
  },
  billing: ({ account }, id) => (account.id === id ? viewBilling(account) : undefined),
  invite({ records, account }, id) {
    const invite = records.invites.list().find(({ link }) => link.endsWith(`/invite/${id}`));
    return invite && viewInvite(invite, account.name);
  },
};

/**
 * The pages that addresses in API responses lead to. HTML for browsers, the same as JSON for a client that accepts only JSON. Anyone who
 * knows an id may open its page, as in the real service; pages never show keys.
 */
export class Pages {
  constructor(private readonly service: MockService) {}

  /** Undefined for other paths. */
  handle(request: WireRequest): MaybePromise<WireResponse> | undefined {
    const response = this.#respond(request);
    const { recorder } = this.service;
    if (!recorder || !response) return response;
    const record = (settled: WireResponse) => {
      recorder.page(request, settled);
      return settled;
    };
    return response instanceof Promise ? response.then(record) : record(response);
  }

  #respond(request: WireRequest): MaybePromise<WireResponse> | undefined {
    const [isPage, kind, id = ''] = PATH.exec(request.url.split('?', 1)[0]!) ?? [];
    if (isPage === undefined) return undefined;
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      const detail = `${request.method} is not allowed here, only GET.`;
      return json(405, { detail }, { 'content-type': 'application/json', allow: 'GET, HEAD' });
    }
    const found = kind === undefined ? this.#start(request) : this.#find(kind, id);
    if (found && !('page' in found)) return found;
    if (wantsJson(request))
      return json(found ? 200 : 404, found?.data ?? { detail: 'There is nothing here.' }, JSON_HEADERS);
    return found ? renderPage(found.page) : renderPage(NOT_FOUND, 404);
  }

  #find(kind: string, id: string): ReturnType<PageFinder> {
    for (const organisation of this.#organisations()) {
      const found = PAGES[kind]!(organisation, id);
      if (found) return found;
    }
    return undefined;
  }

  /** Tasks are listed only where the admin API may be used without a token. */
  #start(request: WireRequest): View {
    const isTrusted = refusal(request, undefined) === undefined;
    return viewStart(this.service.origin, isTrusted ? this.#organisations() : []);
  }

  /** Each brought up to date. */
  *#organisations(): Generator<Organisation> {
    for (const organisation of this.service.organisations.all()) {
      organisation.world.catchUp();
      yield organisation;
    }
  }
}

const JSON_HEADERS = { 'content-type': 'application/json', 'cache-control': 'no-store' };

const NOT_FOUND = {
  title: 'Not found',
  body: html`<p>There is no such task, session, browser (open for 5 minutes), portal or invitation (a newer one replaces it).</p>
<p><a href="/">Start page</a></p>`,
};

/** The request accepts JSON and not HTML. */
function wantsJson({ headers }: WireRequest): boolean {
  const accept = headers.accept ?? '';
  return /\bapplication\/json\b/i.test(accept) && !/\btext\/html\b/i.test(accept);
}
