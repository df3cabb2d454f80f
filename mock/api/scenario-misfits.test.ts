import { expect, it } from 'vitest';
import { startMock, WEATHER } from '../../test/support/mock/mock.js';

const OUTPUT = { type: 'object', properties: { temp_c: { type: 'number' } }, required: ['temp_c'] };
const CALL = { service: 'tool_call', id: 'label', tool: 'print_label', input: {} };
const TOOL = { ...WEATHER, name: 'print_label' };

/**
 * Starts a task or session that follows the scenario by name; `request` is part of the body of POST /task.
 */
async function follow(scenario: object, request: object, how: 'queued' | 'header' = 'queued') {
  const { control, service } = await startMock();
  const title = 'Odd one';
  await control.scenarios.add({
    title,
    name: 'given/odd-ône',
    request: { task: 'x' },
    timeline: [],
    ...scenario,
  });
  const headers: Record<string, string> = { apikey: 'a', 'content-type': 'application/json' };
  if (how === 'header') headers['x-taskdouble-scenario'] = 'given/odd-ône';
  else await control.scenarios.queue('given/odd-ône');
  const wire = {
    method: 'POST',
    url: '/api/v1/task',
    headers,
    body: JSON.stringify(request),
    loopback: true,
  };
  const { status, headers: sent, body } = await service.pipeline.handle(wire);
  const { id } = JSON.parse(String(body)).r;
  const admin = async (path: string) => (await control.fetch(`http://mock/__admin/${path}`)).json();
  return { status, header: sent['x-taskdouble-misfit'], id, control, admin };
}

const FINISH = { service: 'finish', output: 'Done.' };
const CASES: [what: string, scenario: object, request: object, requirement: string, message: RegExp][] = [
  [
    'a tool that the request does not register',
    { request: { task: 'x', custom_tools: [TOOL] }, timeline: [CALL, FINISH] },
    { task: 'The weather', custom_tools: [WEATHER] },
    'TOOL-11',
    /calls "print_label", and the tools of the request are: "get_weather": register .*custom_tools/,
  ],
  [
    'an output that is not of the response model',
    { timeline: [FINISH] },
    { task: 'The weather', response_model: OUTPUT },
    'TASK-04',
    /output does not satisfy the "response_model".*: send/,
  ],
  [
    'a session',
    { request: { task: null, url: 'https://a.example' }, timeline: [FINISH] },
    { task: 'x' },
    'TASK-10',
    /for a session.*send null/,
  ],
  [
    'a task with a text',
    { timeline: [FINISH] },
    { task: null },
    'TASK-10',
    /for a task with a text.*send a text/,
  ],
];

it.each(CASES)(
  'a named scenario of %s is reported at once',
  async (_, scenario, request, requirement, message) => {
    for (const how of ['queued', 'header'] as const) {
      const { status, header, id, control, admin } = await follow(scenario, request, how);
      expect(status).toBe(200);
      expect(control.task(id).scenario).toBe('given/odd-ône');
      // A header is printable ASCII.
      expect(header).toMatch(/^given\/odd-\?ne does not fit the request: /);
      expect(header).toMatch(message);
      expect(control.journal()[0]!.notes).toContainEqual(expect.stringMatching(message));
      const [listed] = ((await admin('tasks')) as { tasks: object[] }).tasks;
      expect(listed).toMatchObject({ scenario: 'given/odd-ône', misfit: expect.stringMatching(message) });
      const { findings } = (await admin('findings')) as { findings: object[] };
      const about = { rule: 'scenario/fits', requirement, level: 'advice', evidence: [1], task: id };
      expect(findings).toEqual([
        expect.objectContaining({ ...about, message: expect.stringMatching(message) }),
      ]);
      await control.restore(control.snapshot());
      expect(control.findings()).toEqual(findings);
    }
  },
);

it.each<[what: string, scenario: object, request: object]>([
  [
    'registers more tools',
    { request: { task: 'x', custom_tools: [TOOL] }, timeline: [CALL, FINISH] },
    { task: 'y', custom_tools: [WEATHER, TOOL] },
  ],
  ['has another text', { timeline: [FINISH] }, { task: 'y' }],
  [
    'has a response model that the output fits',
    { timeline: [{ ...FINISH, output: { temp_c: 3 } }] },
    { task: 'x', response_model: OUTPUT },
  ],
  [
    'has a response model, and the output is made',
    { timeline: [{ service: 'finish' }] },
    { task: 'x', response_model: OUTPUT },
  ],
  [
    'has a response model, and the task fails',
    { timeline: [{ ...FINISH, status: 'failed' }] },
    { task: 'x', response_model: OUTPUT },
  ],
  [
    'lacks a tool that the client is not to have',
    {
      request: { task: 'x', custom_tools: [TOOL] },
      timeline: [CALL, { client: 'reply', to: 'label', code: 400, unknown_tool: true }, FINISH],
    },
    { task: 'x' },
  ],
])('nothing is reported for a request that %s', async (_, scenario, request) => {
  const { header, control, admin } = await follow(scenario, request);
  expect(header).toBeUndefined();
  expect(control.journal()[0]!.notes).toEqual(['follows scenario given/odd-ône (queued)']);
  expect(await admin('findings')).toEqual({ findings: [] });
});
