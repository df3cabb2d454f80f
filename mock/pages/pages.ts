import { refusal } from '../admin/admin-guard.js';
import type { Organisation } from '../engine/organisation.js';
import { endOldSessions } from '../engine/resources/browser-sessions.js';
import type { Task } from '../engine/tasks/task.js';
import { json, type WireRequest, type WireResponse } from '../pipeline/wire.js';
import type { MockService } from '../service.js';
import { archive } from './archive.js';
import { listOrganisations } from './listing.js';
import { describeTask } from './task-page.js';
import {
  billingPage,
  browserPage,
  invitePage,
  livePage,
  missingPage,
  recordingPage,
  startPage,
} from './views.js';

type Answer = WireResponse | Promise<WireResponse>;

const ROOMS = /^\/(live|recordings|downloads|billing|invite)\/([^/]+)$/;

/**
 * What the addresses in the API's answers lead to: small pages about a task, its conversation and its downloads. HTML for
 * browsers; the same as JSON for who accepts only that. Whoever knows an id may look, as in the API's own links; keys are
 * never shown.
 */
export class Pages {
  constructor(private readonly service: MockService) {}

  /** Undefined for paths that are none of these pages'. */
  handle(request: WireRequest): Answer | undefined {
    const response = this.#respond(request);
    const { recorder } = this.service;
    if (!recorder || !response) return response;
    const record = (settled: WireResponse) => {
      recorder.page(request, settled);
      return settled;
    };
    return response instanceof Promise ? response.then(record) : record(response);
  }

  #respond(request: WireRequest): Answer | undefined {
    const path = request.url.split('?', 1)[0]!;
    const found = ROOMS.exec(path);
    if (path !== '/' && !found) return undefined;
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      const detail = `${request.method} is not allowed here, only GET.`;
      return json(405, { detail }, { 'content-type': 'application/json', allow: 'GET, HEAD' });
    }
    const view = found
      ? this.#find(found[1]!, found[2]!)
      : this.#start(refusal(request, undefined) === undefined);
    if ('bytes' in view) return view.bytes();
    if (!wantsJson(request)) return view.page();
    return json(
      view.data === undefined ? 404 : 200,
      view.data ?? { detail: 'There is nothing here.' },
      JSON_HEADERS,
    );
  }

  #find(room: string, id: string): View {
    switch (room) {
      case 'live':
        return this.#live(id);
      case 'recordings':
        return this.#recording(id);
      case 'downloads':
        return this.#downloads(id);
      case 'billing':
        return this.#billing(id);
      default:
        return this.#invite(id);
    }
  }

  #live(id: string): View {
    const found = this.#task(id);
    if (found) {
      const page = describeTask(found.organisation, found.task);
      return { data: page, page: () => livePage(page, found.organisation.world.now) };
    }
    for (const organisation of this.#organisations()) {
      endOldSessions(organisation);
      const session = organisation.records.browserSessions.get(id);
      if (session) return { data: session, page: () => browserPage(session, organisation.world.now) };
    }
    return missing('There is no such task, session or open browser (browsers close after 5 minutes).');
  }

  #recording(id: string): View {
    const found = this.#task(id);
    if (!found) return missing('There is no recording: no such task.');
    const page = describeTask(found.organisation, found.task);
    return { data: page, page: () => recordingPage(page) };
  }

  #downloads(name: string): View {
    const found = name.endsWith('.zip') ? this.#task(name.slice(0, -'.zip'.length)) : undefined;
    if (!found) return missing('There are no downloads: no such task.');
    const { id } = found.task;
    const headers = {
      'content-type': 'application/zip',
      'content-disposition': `attachment; filename="${id}.zip"`,
      'x-content-type-options': 'nosniff',
    };
    return {
      bytes: async () => ({
        status: 200,
        headers,
        body: await archive(describeTask(found.organisation, found.task, true)),
      }),
    };
  }

  #billing(id: string): View {
    for (const { account } of this.#organisations()) {
      if (account.id !== id) continue;
      const { name, plan, credits, auto_top_up } = account;
      return { data: { name, plan, credits, auto_top_up }, page: () => billingPage(account) };
    }
    return missing('There is no such billing portal.');
  }

  #invite(id: string): View {
    for (const { records, account } of this.#organisations()) {
      const invite = records.invites.list().find((each) => each.link.endsWith(`/invite/${id}`));
      if (!invite) continue;
      const { email, count } = invite;
      return {
        data: { organisation: account.name, email, count },
        page: () => invitePage(invite, account.name),
      };
    }
    return missing('There is no such invitation, or a newer one has taken its place.');
  }

  /** Only whom the admin API would answer is told which tasks there are. */
  #start(isTrusted: boolean): View {
    const organisations = isTrusted ? listOrganisations(this.#organisations()) : [];
    const { origin } = this.service;
    return {
      data: { api: `${origin}/api/v1`, admin: `${origin}/__admin`, organisations },
      page: () => startPage(origin, organisations),
    };
  }

  #task(id: string): { organisation: Organisation; task: Task } | undefined {
    for (const organisation of this.#organisations()) {
      const task = organisation.world.tasks.get(id);
      if (task) return { organisation, task };
    }
    return undefined;
  }

  /** Each brought up to date. */
  *#organisations(): Generator<Organisation> {
    for (const organisation of this.service.organisations.all()) {
      organisation.world.catchUp();
      yield organisation;
    }
  }
}

/** What there is to see, as data and as a page; or bytes to take away. */
type View = { data: unknown; page: () => WireResponse } | { bytes: () => Promise<WireResponse> };

const JSON_HEADERS = { 'content-type': 'application/json', 'cache-control': 'no-store' };

function missing(what: string): View {
  return { data: undefined, page: () => missingPage(what) };
}

/** JSON is accepted and HTML is not. */
function wantsJson({ headers }: WireRequest): boolean {
  const accept = headers.accept ?? '';
  return /\bapplication\/json\b/i.test(accept) && !/\btext\/html\b/i.test(accept);
}
