import type { LibraryPlayer } from './library-player.js';

const TOOL = { name: 'look', description: 'Looks', inputs: { type: 'object' }, output: 'What is there' };

/** Calls every operation that no scenario calls, and makes the mistakes that a service has to refuse. */
export async function tour(player: LibraryPlayer): Promise<void> {
  const { body } = await player.send('POST', '/task', { task: 'Look around', custom_tools: [TOOL] });
  const id = body?.r?.id;
  if (typeof id !== 'string') return;
  await mistakes(player, id);
  await account(player);
  await ofTask(player, id);
  await things(player);
  await workspace(player);
}

async function mistakes(player: LibraryPlayer, id: string): Promise<void> {
  await player.send('POST', '/task', '{"task":');
  await player.send('POST', '/task', { task: 'x', custom_tools: [{ name: 'x' }] });
  await player.send('POST', `/task/${id}/event`, { id: 'a', name: 'other', payload: {}, timestamp: 1 });
  await player.send('POST', `/task/${id}/event`, {
    id: 'a',
    name: 'browser_action',
    payload: 1,
    timestamp: 1,
  });
  await player.send('POST', `/task/${id}/visibility`);
  for (const l of [0, 1, 128, 129]) await player.send('GET', `/task?l=${l}`);
  await player.send('GET', '/task/unknown');
  await player.send('GET', '/usage', undefined, { apikey: null });
  await player.send('GET', '/usage', undefined, { apikey: 'invalid-key' });
}

async function account(player: LibraryPlayer): Promise<void> {
  await player.send('POST', '/org/user?email=a%40example.com');
  for (const path of [
    '/org',
    '/usage',
    '/org/billing',
    '/topup/auto',
    '/proxy',
    '/profile',
    '/extension',
    '/app',
  ])
    await player.send('GET', path);
  await player.send('POST', '/org?name=New');
  await player.send('POST', '/topup?amount=5');
  await player.send('POST', '/topup/auto?active=true&amount=5&threshold=1');
  await player.send('POST', '/plan?plan=starter');
  const { body } = await player.send('GET', '/proxy');
  await player.send('PATCH', `/proxy/${body?.r?.[0]?.id ?? 'none'}?auto_renew=false`);
  await player.send('POST', '/telemetry', { events: [] });
  await player.send('GET', '/job/none');
}

async function ofTask(player: LibraryPlayer, id: string): Promise<void> {
  await player.send('POST', `/task/${id}/visibility?visibility=true`);
  await player.send('GET', `/task/${id}/visibility`);
  for (let polls = 0, over = false; polls < 20 && !over; polls++) {
    const { status, body } = await player.send('GET', `/task/${id}`);
    const call = body?.r?.events?.find((event: { name: string }) => event.name === 'tool_call');
    if (call)
      await player.send('PUT', `/task/${id}`, { tool_response: { id: call.id, code: 200, output: '1' } });
    over = status === 200;
    await player.pass(1000);
  }
  await player.send('DELETE', `/task/${id}/data`);
}

async function things(player: LibraryPlayer): Promise<void> {
  const zip = Uint8Array.from([0x50, 0x4b, 5, 6, ...Array<number>(18).fill(0)]);
  const form = (name: string) => {
    const data = new FormData();
    data.append('file', new Blob([zip]), name);
    return data;
  };
  await player.send('POST', '/profile', { id: 'mine' });
  await player.send('GET', '/profile');
  await player.send('GET', '/browser/profile');
  await player.send('DELETE', '/profile/mine');
  const file = await player.send('POST', '/file', form('a.txt'));
  await player.send('DELETE', `/file/${file.body?.r?.id}`);
  for (const prefix of ['', '/browser']) {
    const { body } = await player.send('POST', `${prefix}/extension`, form('a.zip'));
    await player.send('GET', `${prefix}/extension`);
    await player.send('DELETE', `${prefix}/extension/${body?.r?.id}`);
  }
  const { body } = await player.send('POST', '/browser/session', {});
  await player.send('DELETE', `/browser/session/${body?.r?.live_id}`);
}

async function workspace(player: LibraryPlayer): Promise<void> {
  const made = await player.send('POST', '/workspace/Work?shared=true');
  const own = { 'workspace-id': String(made.body?.id) };
  const none = { apikey: null };
  for (const path of ['/workspace', '/chat', '/sop', '/automation'])
    await player.send('GET', path, undefined, own);
  const chat = await player.send('POST', '/task/zero', { task: 'Look' }, own);
  const t = chat.body?.t;
  const message = new FormData();
  message.append('message', 'Hello');
  message.append('files', new Blob(['x']), 'a.txt');
  const written = await player.send('POST', '/chat/message', message, own);
  await player.send('GET', `/chat/id?t=${t}`, undefined, own);
  await player.send('POST', `/chat/id?t=${t}&title=Title`, undefined, own);
  const inChat = { 'chat-id': String(chat.body?.id) };
  await player.send('GET', '/chat/message', undefined, { ...none, ...inChat });
  const asked = chat.body?.messages?.[1];
  const request = asked?.requests?.[0];
  await player.send('PUT', `/request/id?id=${request?.id}&t=${asked?.t}&status=approved`, undefined, inChat);
  await player.send('GET', `/tool/${request?.tool}/${request?.id}`, undefined, none);
  const file = written.body?.messages?.[0]?.attachments?.[0];
  const attachment = { 'attachment-id': String(file?.id) };
  await player.send('GET', '/attachment', undefined, { ...none, ...attachment });
  await player.send('POST', `/attachment?t=${file?.t}`, { name: 'b.txt' }, { ...own, ...attachment });
  await player.send('POST', '/sop', { title: 'Plan', content: 'Look twice' }, own);
  const apps = await player.send('GET', '/app');
  await player.send('POST', `/workspace/app/${apps.body?.apps?.[0]?.name}`, {}, own);
  const automation = await player.send('POST', '/automation', { name: 'Daily', task: 'Look' }, own);
  const automation_id = automation.body?.r?.id;
  await player.send('POST', '/webhook', { automation_id }, none);
  await player.send('DELETE', `/automation?id=${automation_id}`, undefined, own);
  await player.send('DELETE', `/chat/id?t=${t}`, undefined, own);
}
