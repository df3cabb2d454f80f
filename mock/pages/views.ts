import { BROWSER_SESSION_LIFETIME_MS, isTerminal } from '../../spec/vocabulary.js';
import type { Account, Organisation } from '../engine/organisation.js';
import type { BrowserSession } from '../engine/resources/browser-sessions.js';
import type { Invite } from '../engine/resources/records.js';
import { clockTime, type Html, html, type PageContent, shown } from './html.js';
import type { TaskPage } from './task-page.js';

/** What a path shows: the same as data and as a page. */
export interface View {
  data: unknown;
  page: PageContent;
}

/** How often a live page reloads, in seconds. */
const REFRESH_S = 2;
/** Tasks of one organisation on the start page, newest first. */
const MOST_TASKS = 50;
/** Requests without an operation on the start page, newest first. */
const MOST_STRAYS = 10;

/** The live view of a task or session: its state and its events. `now` in ms. */
export function viewLive(task: TaskPage, now: number): View {
  const isOver = isTerminal(task.status);
  const events = [...task.events]
    .reverse()
    .map(
      ({ name, id, timestamp, payload }) =>
        html`<li class="service"><strong>${name}</strong> <small>${id}</small><br>${clockTime(timestamp)}<pre>${shown(payload)}</pre></li>`,
    );
  const list = events.length === 0 ? html`<p><small>None so far.</small></p>` : html`<ol>${events}</ol>`;
  const time = html`<p><small>It is ${new Date(now).toISOString()} in this organisation.${isOver ? '' : ' This page reloads.'}</small></p>`;
  const page = taskContent('Live', task, html`<h2>Events</h2>${list}${time}`);
  return { data: task, page: isOver ? page : { ...page, refresh_s: REFRESH_S } };
}

/** The recording: the conversation from the beginning, with times relative to it. */
export function viewRecording(task: TaskPage): View {
  const items = task.conversation.map(({ at, by, what, id, detail }) => {
    const seconds = ((at - task.created_at) / 1000).toFixed(3);
    const more = detail === undefined || detail === null ? null : html`<pre>${shown(detail)}</pre>`;
    return html`<li class="${by}"><time>+${seconds} s</time> <strong>${by}</strong> ${what} <small>${id}</small>${more}</li>`;
  });
  return {
    data: task,
    page: taskContent('Recording', task, html`<h2>Conversation</h2><ol>${items}</ol>`),
  };
}

function taskContent(kind: string, task: TaskPage, details: Html): PageContent {
  const { id, status, url, scenario, created_at, finished_at, credits_used, output } = task;
  const isSession = task.kind === 'session' || typeof task.task !== 'string';
  const title = isSession ? 'Session' : shown(task.task, 200);
  const result =
    output === null || output === undefined ? null : html`<h2>Output</h2><pre>${shown(output)}</pre>`;
  return {
    title: `${kind}: ${title}`,
    heading: title,
    facts: {
      [task.kind]: id,
      status: html`<span class="${status}">${status}</span>`,
      page: typeof url === 'string' ? url : null,
      scenario: scenario ?? 'none: the agent improvises',
      created: clockTime(created_at),
      finished: finished_at === null ? null : clockTime(finished_at),
      credits: credits_used,
    },
    body: html`${result}${details}`,
  };
}

/** A browser opened with the deprecated browser operations. `now` in ms. */
export function viewBrowser(session: BrowserSession, now: number): View {
  const { live_id, profile_id, url, device, opened_at } = session;
  const left_s = Math.max(0, Math.ceil((opened_at + BROWSER_SESSION_LIFETIME_MS - now) / 1000));
  const facts = {
    id: live_id,
    profile: profile_id,
    page: url ?? 'about:blank',
    device,
    opened: clockTime(opened_at),
    'ends in': `${left_s} s`,
  };
  return { data: session, page: { title: 'Interactive browser', facts, refresh_s: REFRESH_S } };
}

export function viewBilling({ name, plan, credits, auto_top_up }: Account): View {
  const topUp = auto_top_up.active ? `${auto_top_up.amount} below ${auto_top_up.threshold}` : 'off';
  const body = html`<p><small>A stand-in for the billing portal: nothing can be paid here. POST /topup and POST /plan change these values.</small></p>`;
  return {
    data: { name, plan, credits, auto_top_up },
    page: { title: `Billing of ${name}`, facts: { plan, credits, 'automatic top-up': topUp }, body },
  };
}

export function viewInvite({ email, count }: Invite, organisation: string): View {
  const body = html`<p>${count === 1 ? 'One invitation is' : `${count} invitations are`} open for this address.</p>
<p><small>A stand-in: there is nothing to accept here.</small></p>`;
  return {
    data: { organisation, email, count },
    page: { title: `${organisation} invites ${email}`, body },
  };
}

/** Lists tasks and requests to unknown addresses; organisations without any are left out. */
export function viewStart(origin: string, organisations: Iterable<Organisation>): View {
  const listed = [...organisations]
    .map((organisation) => {
      const strays = listStrays(organisation);
      const tasks = listTasks(organisation);
      return { name: organisation.name, tasks, ...(strays.length > 0 ? { strays } : {}) };
    })
    .filter(({ tasks, strays }) => tasks.length > 0 || strays);
  const lists = listed.map(({ name, tasks, strays }) => {
    const items = tasks.map(
      ({ id, status, title }) =>
        html`<li><span class="${status}">${status}</span> <a href="/live/${id}">${title}</a> · <a href="/recordings/${id}">conversation</a></li>`,
    );
    const unknown = strays?.map(
      ({ at, method, url, status }) =>
        html`<li>${clockTime(at)} <code>${method} ${url}</code> <strong>${status}</strong></li>`,
    );
    const more = unknown ? html`<h3>Requests to unknown addresses</h3><ol>${unknown}</ol>` : null;
    return html`<h2>${name}</h2><ol>${items}</ol>${more}`;
  });
  const body = html`<p>The API is at <code>${origin}/api/v1</code>. Any API key opens an organisation of its own. Try it:</p>
<pre>curl -s ${origin}/api/v1/task -H 'apikey: demo' -H 'content-type: application/json' -d '{"task":"Find the price of tea"}'
curl -s ${origin}/api/v1/task/ID -H 'apikey: demo'</pre>
<p>The second line polls the task: replace ID with the <code>id</code> in the first response. <code>GET ${origin}/__admin</code> lists the
operations of the admin API.</p>
${lists}`;
  const heading = 'taskdouble: mock of the Browser Automation Task Service API';
  return {
    data: { api: `${origin}/api/v1`, admin: `${origin}/__admin`, organisations: listed },
    page: { title: 'taskdouble', heading, body },
  };
}

function listTasks({ world }: Organisation): { id: string; status: string; title: string }[] {
  return [...world.tasks.values()]
    .slice(-MOST_TASKS)
    .reverse()
    .map(({ id, status, request, session }) => ({
      id,
      status,
      title: session ? 'Session' : String(request.task).slice(0, 120),
    }));
}

function listStrays({
  journal,
}: Organisation): { at: number; method: string; url: string; status: number }[] {
  return journal
    .strays(MOST_STRAYS)
    .reverse()
    .map(({ request: { at, method, url }, response }) => ({
      at,
      method,
      url: url.slice(0, 200),
      status: response?.status ?? 0,
    }));
}
