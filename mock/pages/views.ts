import { BROWSER_SESSION_LIFETIME_MS, isTerminal } from '../../spec/vocabulary.js';
import type { Account } from '../engine/organisation.js';
import type { BrowserSession } from '../engine/resources/browser-sessions.js';
import type { Invite } from '../engine/resources/records.js';
import type { WireResponse } from '../pipeline/wire.js';
import { type Html, html, page, shown } from './html.js';
import type { ListedOrganisation, ListedStray } from './listing.js';
import type { Activity, TaskPage } from './task-page.js';

/** How often a live page asks again, in seconds. */
const REFRESH_S = 2;

/** The live view of a task or session: what it is, what it does, its events. */
export function livePage(task: TaskPage, now: number): WireResponse {
  const body = html`${facts(task)}
<h2>Events</h2>
${
  task.events.length === 0
    ? html`<p><small>None so far.</small></p>`
    : html`<ol>${[...task.events]
        .reverse()
        .map(
          (event) =>
            html`<li class="service"><strong>${event.name}</strong> <small>${event.id}</small><br>${clockTime(event.timestamp)}<pre>${shown(event.payload)}</pre></li>`,
        )}</ol>`
}
<p><small>It is ${new Date(now).toISOString()} in this organisation.${isTerminal(task.status) ? '' : ' This page renews itself.'}</small></p>`;
  return page(`Live: ${title(task)}`, body, isTerminal(task.status) ? {} : { refresh_s: REFRESH_S });
}

/** The recording: the conversation from the beginning, with the time since then. */
export function recordingPage(task: TaskPage): WireResponse {
  const moments = task.conversation.map((moment) => activityItem(moment, task.created_at));
  return page(`Recording: ${title(task)}`, html`${facts(task)}<h2>Conversation</h2><ol>${moments}</ol>`);
}

/** A browser that was opened for a person. */
export function browserPage(session: BrowserSession, now: number): WireResponse {
  const left = Math.max(0, Math.ceil((session.opened_at + BROWSER_SESSION_LIFETIME_MS - now) / 1000));
  const body = html`<h1>Interactive browser</h1>
<dl><dt>id</dt><dd>${session.live_id}</dd><dt>profile</dt><dd>${session.profile_id}</dd><dt>page</dt><dd>${session.url ?? 'about:blank'}</dd>
<dt>device</dt><dd>${session.device}</dd><dt>opened</dt><dd>${clockTime(session.opened_at)}</dd><dt>ends in</dt><dd>${left} s</dd></dl>`;
  return page('Interactive browser', body, { refresh_s: REFRESH_S });
}

export function billingPage(account: Account): WireResponse {
  const { name, plan, credits, auto_top_up } = account;
  const topUp = auto_top_up.active ? `${auto_top_up.amount} below ${auto_top_up.threshold}` : 'off';
  const body = html`<h1>Billing of ${name}</h1>
<dl><dt>plan</dt><dd>${plan}</dd><dt>credits</dt><dd>${credits}</dd><dt>automatic top-up</dt><dd>${topUp}</dd></dl>
<p><small>A stand-in for the billing portal: nothing can be paid here. POST /topup and POST /plan change what you see.</small></p>`;
  return page('Billing', body);
}

export function invitePage(invite: Invite, organisation: string): WireResponse {
  const body = html`<h1>${organisation} invites ${invite.email}</h1>
<p>${invite.count === 1 ? 'One invitation is' : `${invite.count} invitations are`} open for this address.</p>
<p><small>A stand-in: there is nothing to accept here.</small></p>`;
  return page('Invitation', body);
}

export function startPage(origin: string, organisations: readonly ListedOrganisation[]): WireResponse {
  const lists = organisations.map(
    ({ name, tasks, strays }) =>
      html`<h2>${name}</h2><ol>${tasks.map(
        ({ id, status, title: what }) =>
          html`<li><span class="${status}">${status}</span> <a href="/live/${id}">${what}</a> · <a href="/recordings/${id}">conversation</a></li>`,
      )}</ol>${strays ? strayList(strays) : null}`,
  );
  const body = html`<h1>taskdouble is playing the Browser Automation Task Service</h1>
<p>The API is at <code>${origin}/api/v1</code>. Any API key opens an organisation of its own. Try it:</p>
<pre>curl -s ${origin}/api/v1/task -H 'apikey: demo' -H 'content-type: application/json' -d '{"task":"Find the price of tea"}'
curl -s ${origin}/api/v1/task/ID -H 'apikey: demo'</pre>
<p>The second line polls the task: put the <code>id</code> of the first answer in its place. <code>GET ${origin}/__admin</code> lists what
else this mock can be told to do.</p>
${lists}`;
  return page('taskdouble', body);
}

function strayList(strays: readonly ListedStray[]): Html {
  const lines = strays.map(
    ({ at, method, url, status }) =>
      html`<li>${clockTime(at)} <code>${method} ${url}</code> <strong>${status}</strong></li>`,
  );
  return html`<h3>Asked for, and not there</h3><ol>${lines}</ol>`;
}

export function missingPage(what: string): WireResponse {
  return page('Not found', html`<h1>Not found</h1><p>${what}</p><p><a href="/">To the start page</a></p>`, {
    status: 404,
  });
}

function facts(task: TaskPage): Html {
  const { id, status, kind, url, scenario, created_at, finished_at, credits_used, output } = task;
  const answer =
    output === null || output === undefined ? null : html`<h2>Output</h2><pre>${shown(output)}</pre>`;
  return html`<h1>${title(task)}</h1>
<dl><dt>${kind}</dt><dd>${id}</dd><dt>status</dt><dd class="${status}">${status}</dd>
${typeof url === 'string' ? html`<dt>page</dt><dd>${url}</dd>` : null}
<dt>follows</dt><dd>${scenario ?? 'no scenario: the agent improvises'}</dd><dt>created</dt><dd>${clockTime(created_at)}</dd>
${finished_at === null ? null : html`<dt>finished</dt><dd>${clockTime(finished_at)}</dd>`}
${credits_used === null ? null : html`<dt>credits</dt><dd>${credits_used}</dd>`}</dl>${answer}`;
}

function title({ task, kind }: TaskPage): string {
  if (kind === 'session' || typeof task !== 'string') return 'Session';
  return task.length > 200 ? `${task.slice(0, 200)}…` : task;
}

function activityItem({ at, by, what, id, detail }: Activity, start: number): Html {
  const seconds = ((at - start) / 1000).toFixed(3);
  return html`<li class="${by}"><time>+${seconds} s</time> <strong>${by}</strong> ${what} <small>${id}</small>${
    detail === undefined || detail === null ? null : html`<pre>${shown(detail)}</pre>`
  }</li>`;
}

function clockTime(at: number): Html {
  const date = new Date(at);
  // A scripted event may carry any timestamp.
  return Number.isNaN(date.getTime()) ? html`<time>${at}</time>` : html`<time>${date.toISOString()}</time>`;
}
