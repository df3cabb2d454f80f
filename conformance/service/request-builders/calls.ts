import { textFor, toolFor } from '../cases/texts.js';
import { findId, findText, rowsOf } from './read.js';
import { automation } from './things.js';
import type { Kit } from './tracker.js';

/** Things that the service has to come up with: a tool call, a proxy, an app, a job. */

/** A tool call that waits for its reply. */
export async function toolCall(kit: Kit): Promise<{ task: string; id: string }> {
  const { player, settings } = kit.probing;
  const tools = [toolFor(settings, 'get_weather')];
  const task = await player.create({ task: textFor(settings, 'tool-call'), custom_tools: tools });
  kit.later(`task ${task.id}`, () => player.cancel(task));
  const call = await player.nextCall(task);
  return call ? { task: task.id, id: call.id } : kit.probing.inconclusive('the agent called no tool');
}

export async function proxy(kit: Kit): Promise<{ id: string; auto_renew: boolean }> {
  const answer = await kit.need('listProxies', {}, 'a proxy is needed');
  const [row] = rowsOf(answer.body) ?? [];
  const id = findId(row, 'id', 'proxy_id');
  if (id === undefined) return kit.probing.inconclusive('the organisation has no proxy');
  const { auto_renew } = row as { auto_renew?: unknown };
  if (typeof auto_renew !== 'boolean')
    return kit.probing.inconclusive(
      'the proxy does not tell its auto_renew, so that it cannot be left as it is',
    );
  return { id, auto_renew };
}

export async function app(kit: Kit): Promise<string> {
  const answer = await kit.need('listApps', {}, 'an app is needed');
  const name = findText(rowsOf(answer.body), 'name', 'app_name', 'id', 'slug');
  return name ?? kit.probing.inconclusive('there is no app to connect');
}

/** A run of an automation, if the target calls that a job. */
export async function job(kit: Kit): Promise<string> {
  const { id } = await automation(kit);
  const before = taskIds((await kit.need('listTasks', { query: { l: 128 } }, 'a job is needed')).r);
  const answer = await kit.need('triggerWebhook', { body: { automation_id: id } }, 'a job is needed');
  const listed = await kit.need('listTasks', { query: { l: 128 } }, 'a job is needed');
  const begun = taskIds(listed.r).filter((task) => !before.includes(task));
  const named = findId(answer.body, 'job_id', 'job', 'id');
  // Others may have made tasks meanwhile.
  for (const job_id of [...(named === undefined ? [] : [named]), ...begun.slice(0, 8)])
    if ((await kit.send('getJob', { path: { job_id } })).ok) return job_id;
  return kit.probing.inconclusive('no job was found: what a job is, is open');
}

function taskIds(rows: unknown): string[] {
  return (rowsOf(rows) ?? []).flatMap((row) => findId(row, 'id') ?? []);
}

/** A value of the account as it is, to be set again. */
export async function planName(kit: Kit): Promise<string> {
  const answer = await kit.need('getUsage', {}, 'the plan has to be known');
  const name = findText(answer.r, 'plan', 'plan_name', 'plan_id');
  return (
    name ?? kit.probing.inconclusive('the usage does not tell the name of the plan in a field that is known')
  );
}

/** Sets the name of the organisation back afterwards. */
export async function keepName(kit: Kit): Promise<void> {
  const answer = await kit.need('getOrganisation', {}, 'the name has to be known');
  const name = kit.had(findText(answer.r, 'name', 'organisation_name', 'display_name'), 'name', answer);
  kit.later('the name of the organisation', () => kit.send('updateOrganisation', { query: { name } }));
}

/** Sets the automatic top-up back afterwards. */
export async function keepAutoTopUp(kit: Kit): Promise<void> {
  const answer = await kit.need('getAutoTopUp', {}, 'the settings have to be known');
  const { active, amount, threshold } = (answer.r ?? {}) as Record<string, unknown>;
  if (typeof active !== 'boolean')
    return kit.probing.inconclusive('the automatic top-up does not tell whether it is active');
  const query: Record<string, number | boolean> = { active };
  for (const [name, value] of Object.entries({ amount, threshold })) {
    if (Number.isInteger(value)) query[name] = value as number;
    else if (value !== null)
      return kit.probing.inconclusive(`the automatic top-up does not tell its ${name}`);
  }
  kit.later('the automatic top-up', () => kit.send('setAutoTopUp', { query }));
}
