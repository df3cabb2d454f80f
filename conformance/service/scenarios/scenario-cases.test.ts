import { describe, expect, it } from 'vitest';
import { Mock } from '../../../mock/mock.js';
import type { MockOptions } from '../../../mock/options/mock-options.js';
import { loadLibrary } from '../../../scenarios/format/library/library.js';
import { requirements } from '../../../spec/generated/documents.js';
import { conform } from '../../conform.js';
import { taskCases } from '../all-cases.js';
import { mockTarget } from '../http-client/in-process.js';
import { ScriptedTools } from './play-scenario.js';
import { createScenarioCases } from './scenario-cases.js';

const library = await loadLibrary();
const cases = createScenarioCases(library);

async function against(options: MockOptions) {
  const mock = new Mock({ clock: 'manual', ...options });
  await mock.ready;
  return conform({ ...mockTarget(mock), apiKey: 'main-key', cases, concurrency: 1 });
}

describe('scenarios as cases', () => {
  it('are those that a client can play without network faults', () => {
    const ids = cases.map(({ id }) => id);
    expect(ids).toContain('tool-calls/corrected-input');
    expect(ids).toContain('sessions/goto-extract-evaluate-close');
    expect(ids).not.toContain('errors/gateway-html');
    expect(ids).not.toContain('polling/slow-agent');
    expect(ids).not.toContain('tool-calls/slow-reply');
    expect(ids.filter((id) => taskCases.some((testCase) => testCase.id === id))).toEqual([]);
  });

  it('cover what binds the service', () => {
    const covered = new Set<string>(cases.flatMap(({ covers }) => covers));
    const sides = requirements.filter(({ id }) => covered.has(id)).map(({ side }) => side);
    expect(new Set(sides)).toEqual(new Set(['service']));
  });

  it.each([
    ['plays them too', {}],
    ['improvises', { library: false }],
    [
      'improvises with bare results and no echo of its ends',
      {
        library: false,
        dialect: { 'event.result-shape': 'bare', 'event.echo': 'plain' },
      },
    ],
  ])('all pass against a mock that %s', async (_, options) => {
    const { checks, faults, left } = await against(options);
    const others = checks.filter(({ outcome }) => outcome !== 'passed');
    expect({ others: others.map(({ id, message }) => `${id}: ${message}`), faults, left }).toEqual({
      others: [],
      faults: [],
      left: [],
    });
  });
});

describe('scripted tools', () => {
  it('reply once per run, then with the last success, and with a default without replies', () => {
    const scenario = library.find(({ name }) => name === 'tool-calls/corrected-input')!;
    const tools = new ScriptedTools(scenario);
    const codes = [1, 2, 3].map(() => tools.nextReply('get_weather').code);
    expect(codes).toEqual([400, 200, 200]);
    expect(tools.nextReply('another')).toMatchObject({ code: 200 });
  });
});
