import type { PointCases } from './case.js';

export const errors: PointCases = {
  'errors.validation-detail': {
    async observe(client) {
      const { status, body } = await client.send('POST', '/task', { task: 5 });
      if (typeof body.detail === 'string') return [status, 'text'];
      return [status, body.detail.map((each: object) => Object.keys(each).sort())];
    },
    expected: { list: [422, [['loc', 'msg', 'type']]], string: [422, 'text'] },
  },
  'errors.invalid-parameters': {
    async observe(client) {
      const statuses = [];
      for (const query of ['l=0', 'l=129', 'l=two', 't=now'])
        statuses.push(await client.sendForStatus('GET', `/task?${query}`));
      return [...statuses, await client.sendForStatus('POST', '/task', { task: 5 })];
    },
    expected: { '422': [422, 422, 422, 422, 422], '400': [400, 400, 400, 400, 422] },
  },
  'errors.content-type': {
    async observe(client) {
      const send = async (type: string, path = '/profile') =>
        client.sendForStatus('POST', path, { id: 'p' }, { headers: { 'content-type': type } });
      const json = [await send('application/json'), await send('Application/vnd.x+json;charset=utf-8')];
      const others = [await send('text/plain'), await send(''), await send('application/jsonp')];
      // The body of an operation without a body is ignored.
      return [json, others, await send('text/plain', '/topup?amount=1')];
    },
    expected: {
      read: [[200, 200], [200, 200, 200], 200],
      '415': [[200, 200], [415, 415, 415], 200],
      '422': [[200, 200], [422, 422, 422], 200],
    },
    given: { 'profile.duplicate': '200' },
  },
  'errors.no-credits-operations': {
    async observe(client) {
      const key = 'exhausted-1';
      const { id } = (await client.send('POST', '/workspace/Work', undefined, { key })).body;
      const headers = { 'workspace-id': id };
      const lost = [
        await client.sendForStatus('POST', '/task', { task: 'x' }, { key }),
        await client.sendForStatus('POST', '/task', { task: null }, { key }),
        await client.sendForStatus('POST', '/task/zero', { task: 'x' }, { key, headers }),
      ];
      const kept = [];
      for (const path of ['/task', '/usage', '/profile', '/chat', '/org'])
        kept.push(await client.sendForStatus('GET', path, undefined, { key, headers }));
      return [lost, kept, await client.sendForStatus('POST', '/profile', { id: 'p' }, { key })];
    },
    expected: { createTask: [[429, 429, 429], [200, 200, 200, 200, 200], 200] },
  },
  'errors.premium-features': {
    async observe(client) {
      const use = async (key: string) => [
        await client.sendForStatus('POST', '/profile', { id: 'p' }, { key }),
        await client.sendForStatus('POST', '/task', { task: 'x', profile_id: 'p' }, { key }),
        await client.sendForStatus('POST', '/browser/session', {}, { key }),
        (await client.send('GET', '/usage', undefined, { key })).r.browser_sessions,
        await client.sendForStatus('POST', '/task', { task: 'x' }, { key }),
      ];
      return [await use('free-1'), await use('paid-1')];
    },
    expected: {
      'profiles-and-browsers': [
        [403, 403, 403, 0, 200],
        [200, 200, 200, 99, 200],
      ],
    },
  },
  'profile.unknown-in-task': {
    async observe(client) {
      const status = await client.sendForStatus('POST', '/task', { task: 'x', profile_id: 'p' });
      return [status, (await client.send('GET', '/browser/profile')).r.profile_ids];
    },
    expected: { '404': [404, []], made: [200, ['p']] },
  },
  'file.unknown-in-task': {
    observe: (client) => client.sendForStatus('POST', '/task', { task: 'x', files: ['no-such-file'] }),
    expected: { '404': 404, ignored: 200 },
  },
  'extension.unknown-in-task': {
    observe: (client) =>
      client.sendForStatus('POST', '/task', { task: 'x', extensions: ['no-such-extension'] }),
    expected: { ignored: 200, '404': 404 },
  },
  'task.unusable-schema': {
    async observe(client) {
      const unusable = [{ type: 'text' }, { $ref: 'https://example.com/schema' }, { pattern: '(a+)+\\1' }];
      const statuses = [];
      for (const schema of [{}, { type: 'string' }, ...unusable]) {
        const tool = { name: 't', description: '', inputs: schema, output: '' };
        statuses.push(await client.sendForStatus('POST', '/task', { task: 'x', response_model: schema }));
        statuses.push(await client.sendForStatus('POST', '/task', { task: 'x', custom_tools: [tool] }));
      }
      return statuses;
    },
    expected: { '422': [200, 200, 200, 422, 422, 422, 422, 422, 422, 422] },
  },
  'profile.empty-id': {
    async observe(client) {
      const { status, r } = await client.send('POST', '/profile', { id: '' });
      return [status, r?.id.length > 0];
    },
    expected: { refused: [422, false], generated: [200, true] },
  },
  'profile.duplicate': {
    async observe(client) {
      await client.send('POST', '/profile', { id: 'p' });
      const { status, r } = await client.send('POST', '/profile', { id: 'p' });
      return [status, r?.id, (await client.send('GET', '/profile')).r.length];
    },
    expected: { '409': [409, undefined, 1], '200': [200, 'p', 1] },
  },
  'empty-body.shape': {
    async observe(client) {
      const deleted = await client.send('DELETE', `/task/${await client.createSession()}`);
      const renamed = await client.send('POST', '/org?name=Acme');
      const reported = await client.send('POST', '/telemetry', { events: [] });
      return [deleted, renamed, reported].map(({ body }) => body);
    },
    expected: {
      'r-true': [{ r: true }, { r: true }, { r: true }],
      'empty-object': [{}, {}, {}],
      null: [null, null, null],
    },
  },
};
