import { expect, test } from 'vitest';
import { connectSteady, STEADY_MODEL, STEADY_TOOL, type SteadyAnswer } from './steady/drive.js';
import { faults, variations } from './steady.js';

const upload = (name: string) => {
  const form = new FormData();
  form.set(name, new Blob(['x']), 'x.zip');
  return form;
};

/** Uses most of what the service has, so that any change of behaviour shows. */
async function useEverything(settings: { variation?: string; fault?: string }): Promise<string> {
  const { send, wait, act, transcript } = connectSteady(settings);
  const OTHER = { apikey: 'other-key' };
  const start = async (body: unknown) => ((await send('POST /task', body)).body.r?.id ?? 'none') as string;
  const at = (id: string) => `/task/${encodeURIComponent(id)}`;
  const reply = async (id: string, code: number, output: unknown, headers = {}) => {
    const { body } = await send(`GET ${at(id)}`);
    const call = body.r?.events.findLast(({ name }: SteadyAnswer['body']) => name === 'tool_call');
    const event = { id: call?.id ?? 'none', name: 'tool_call', payload: { code, output }, timestamp: 1 };
    await send(`POST ${at(id)}/event`, event, headers);
    return event;
  };
  await send('POST /task', {});
  await send('POST /task', { task: 'x', device: 'watch', profile_id: 'unknown' });
  await send('POST /task', { task: 'x', device: 'watch' }, { 'content-type': 'text/plain' });
  await send('GET /org', undefined, { cookie: 'apikey=other-key' });
  await send('GET /org', undefined, { apikey: 'bad-key' });
  await send('PATCH /task');
  await send('DELETE /file/none');
  await send('POST /file', upload('file'));
  await send('POST /extension', upload('any'));

  const plain = await start({ task: 'Buy', response_model: STEADY_MODEL });
  const empty = await start({ task: '' });
  const first = await start({ task: 'LookUp', custom_tools: [STEADY_TOOL], response_model: STEADY_MODEL });
  const two = await start({
    task: 'LookUp and Other',
    custom_tools: [STEADY_TOOL, { ...STEADY_TOOL, name: 'Other' }],
  });
  const stopped = await start({ task: 'LookUp', custom_tools: [STEADY_TOOL] });
  const silent = await start({ task: 'LookUp', custom_tools: [STEADY_TOOL] });
  const optional = { type: 'object', properties: { more: { type: 'string' } } };
  const quick = await start({ task: 'Quick', response_model: optional });
  await send(`DELETE ${at(quick)}/data`);
  await send(`POST ${at(plain)}/visibility?visibility=1`);
  await send(`POST ${at(plain)}/visibility?visibility=false`);
  await send(`GET ${at(plain)}/visibility`);
  wait(700);
  await reply(first, 200, 1, OTHER);
  await reply(first, 400, 'wrong');
  await reply(stopped, 200, 1, OTHER);
  wait(700);
  await reply(first, 500, 'wrong again');
  const late = await reply(two, 200, null);
  await send(`POST ${at(two)}/event`, late);
  await send(`POST ${at(two)}/event`, { ...late, id: 'no call' });
  wait(1_500);
  await reply(two, 200, null);
  wait(1_500);
  for (const id of [plain, empty, first, two, quick, stopped]) await send(`GET ${at(id)}`);
  await send(`GET ${at(plain)}`);
  await send('GET /task?t=1700000001000&l=2');
  await send('GET /task?l=128');
  await send('GET /task?l=0');
  await send(`DELETE ${at(stopped)}`, undefined, OTHER);
  await send(`GET ${at(stopped)}`);
  await send(`POST ${at(plain)}/event`, { ...late, id: 'x', name: 'browser_action', timestamp: undefined });
  await send(`DELETE ${at(plain)}`);
  await send(`GET ${at(plain)}`);
  await send(`DELETE ${at(plain)}/data`);
  await send(`GET ${at(plain)}`);
  const open = await start({ task: 'LookUp', custom_tools: [STEADY_TOOL] });
  wait(800);
  await send(`GET ${at(open)}`);
  await send(`DELETE ${at(open)}`);
  await send(`GET ${at(open)}`);
  await reply(open, 200, 1);
  await send(`GET ${at(open)}`);

  const session = await start({ task: null, url: 'https://a.example/', custom_tools: [STEADY_TOOL] });
  await act('007', session, 'goto', { url: 'https://b.example/' });
  await act('é', session, 'goto', { url: 'https://c.example/' });
  await act('lost', session, 'evaluate_js', { js: 'location.href' });
  wait(1_000);
  await act('é', session, 'close-by', {});
  for (const [index, js] of ['0', '[]', '"007"', 'args', 'throw 1'].entries()) {
    await act(`js${index}`, session, 'evaluate_js', { js, args: 'x'.repeat(300) });
    wait(500);
  }
  await send(`POST ${at(session)}/event`, { id: 'bad', name: 'nothing', payload: {} });
  await act('after', session, 'evaluate_js', { js: '1' });
  wait(500);
  await act('run', session, 'run_task', { task: 'LookUp' });
  wait(1_000);
  await reply(session, 200, 5);
  wait(1_000);
  const { body } = await send(`GET ${at(session)}`);
  const times: number[] = body.r?.events.map(({ timestamp }: SteadyAnswer['body']) => timestamp) ?? [];
  await send(`GET ${at(session)}?event_t=${times[2] ?? 0}`);
  await send(`GET ${at(session)}?event_t=${times[2] ?? 0}&downloads=true`);
  await Promise.all([
    send(`GET ${at(session)}?event_t=0`),
    send(`GET ${at(session)}?event_t=${times[1] ?? 0}`),
  ]);
  for (let index = 0; index < 20; index++) {
    await act(`more${index}`, session, 'evaluate_js', { js: '2' });
    wait(200);
  }
  await send(`GET ${at(session)}`);
  for (let index = 0; index < 50; index++) await send(`GET ${at(session)}?event_t=${times.at(-1) ?? 0}`);
  await act('slow', session, 'extract', { schema: STEADY_MODEL });
  await act('bye', session, 'close');
  wait(2_000);
  await send(`GET ${at(session)}`);
  const idle = await start({ task: null });
  wait(100_000);
  await send(`GET ${at(idle)}`);
  await send(`GET ${at(silent)}`);
  wait(1_000_000);
  await send(`GET ${at(idle)}`);

  for (const id of ['Ab', 'a/b']) {
    const path = `/profile/${encodeURIComponent(id)}`;
    await send('POST /profile', { id });
    await send('POST /profile', { id });
    await send('POST /profile', { id }, OTHER);
    await start({ task: 'Use it', profile_id: id });
    await send(`DELETE ${path}`);
    await send(`DELETE ${path}`);
    await send('GET /profile');
    await send('GET /profile', undefined, OTHER);
  }
  await send('PATCH /proxy/px1-main?auto_renew=false');
  await send('POST /topup?amount=5');
  await send('POST /topup/auto?active=true&amount=5');
  await send('POST /topup/auto?active=true');
  await send('POST /plan?plan=big');
  const workspace = (await send('POST /workspace/home')).body;
  const inside = { 'workspace-id': (workspace.r ?? workspace).id };
  await send('POST /task/zero', { task: 'x' }, inside);
  await send('GET /chat?t=1700000000001', undefined, inside);
  const saved = (await send('POST /sop', { title: 'x' }, inside)).body;
  await send(`POST /sop?t=${(saved.r ?? saved).sops[0].t}`, { title: 'y' }, inside);
  await send('POST /webhook', { automation_id: 'none' }, { apikey: '' });
  expect(transcript.filter((one) => (one as SteadyAnswer).status === 500)).toHaveLength(
    settings.fault === 'second-deletion-crashes' ? 2 : 0,
  );
  return JSON.stringify(transcript);
}

test('every fault and every variation changes what is answered', async () => {
  const good = await useEverything({});
  expect(await useEverything({})).toBe(good);
  const idle: string[] = [];
  for (const fault of Object.keys(faults)) if ((await useEverything({ fault })) === good) idle.push(fault);
  for (const variation of Object.keys(variations))
    if ((await useEverything({ variation })) === good) idle.push(variation);
  expect(idle).toEqual([]);
});
