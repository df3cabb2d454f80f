import { describe, expect, it } from 'vitest';
import { loadScenarioText } from '../../../scenarios/format/load/load-text.js';
import type { Scenario } from '../../../scenarios/format/types.js';
import { writeScenario } from '../../../scenarios/format/write.js';
import { minimize } from '../../common/minimize.js';
import { explainUnplayable } from '../run/job.js';
import { findGeneratedConversation, generateScenario } from './generate-scenario.js';
import { simplifyPlan } from './minimize-plan.js';
import type { ConversationPlan } from './plan.js';
import { toScenario } from './plan-to-scenario.js';
import { FIELD_TURNS } from './request-fields.js';

const SOME = Array.from({ length: 60 }, (_, index) => generateScenario(3, index + 1));

/** Without what a file adds: its name, and the line of each step. */
function plain({ file: _file, timeline, ...scenario }: Scenario): unknown {
  return JSON.parse(
    JSON.stringify({ ...scenario, timeline: timeline.map(({ line: _line, ...step }) => step) }),
  );
}

describe('a generated scenario', () => {
  it('is the same for the same seed and number, and another for another', () => {
    expect(SOME.map((_, index) => generateScenario(3, index + 1))).toEqual(SOME);
    expect(new Set(SOME.map((each) => JSON.stringify({ ...each, name: '' }))).size).toBe(SOME.length);
    expect(JSON.stringify(generateScenario(4, 1).timeline)).not.toBe(JSON.stringify(SOME[0]!.timeline));
  });

  it('can be found by its name', () => {
    expect(SOME[16]!.name).toBe('generated/3-17');
    expect(findGeneratedConversation('generated/3-17')?.scenario).toEqual(SOME[16]);
    for (const name of ['generated/3', 'generated/3-0', 'generated/x-1', 'polling/one-shot'])
      expect(findGeneratedConversation(name)).toBeUndefined();
  });

  it('is an ordinary scenario: its file is valid and loads unchanged', () => {
    for (const scenario of SOME) {
      const { name } = scenario;
      const { scenario: loaded, problems } = loadScenarioText(writeScenario(scenario), {
        file: 'x.yaml',
        name,
      });
      expect(problems, name).toEqual([]);
      expect(plain(loaded!), name).toEqual(plain(scenario));
      expect(explainUnplayable(scenario), name).toBeUndefined();
    }
  });

  it('is a valid file also if minimizing leaves nothing but a task that never ends', async () => {
    const name = 'generated/1-10';
    const { plan } = findGeneratedConversation(name)!;
    const isEndless = async ({ ending }: ConversationPlan) => ending.isEndless === true;
    expect(await isEndless(plan)).toBe(true);
    const smallest = await minimize(plan, simplifyPlan, isEndless);
    const text = writeScenario(toScenario(smallest, name));
    expect(loadScenarioText(text, { file: 'x.yaml', name }).problems).toEqual([]);
  });
});

describe('the conversations of a short search', () => {
  const steps = Array.from({ length: 144 }, (_, index) => generateScenario(1, index + 1)).map(
    ({ request, timeline }) => ({ request, timeline }),
  );
  const timelines = steps.flatMap(({ timeline }) => timeline);

  it('have every field of the request, and in some all together', () => {
    const fields = steps.map(({ request }) => Object.keys(request).length);
    expect(Math.max(...fields)).toBeGreaterThanOrEqual(FIELD_TURNS);
    const named = new Set(steps.flatMap(({ request }) => Object.keys(request)));
    for (const field of [
      'custom_tools',
      'response_model',
      'metadata',
      'files',
      'device',
      'profile_id',
      'url',
    ])
      expect(named).toContain(field);
  });

  it('have each kind of request refused with each status', () => {
    const refused = timelines.flatMap((step) =>
      'network' in step && step.network === 'fail'
        ? [`${step.of?.reply ? 'reply' : JSON.stringify(step.of)} ${step.status}`]
        : [],
    );
    expect(new Set(refused).size).toBe(48);
  });

  it('have sessions and tasks, every action and status, both ways to close, cancels, and many events', () => {
    const kinds = new Set(
      timelines.map((step) =>
        'service' in step
          ? [step.service, 'status' in step ? step.status : ''].join(' ')
          : 'client' in step
            ? [step.client, 'name' in step ? step.name : '', 'by' in step ? step.by : ''].join(' ')
            : step.network,
      ),
    );
    for (const kind of [
      ...['status waiting', 'status running', 'finish done', 'finish failed', 'finish cancelled'],
      ...['action goto ', 'action extract ', 'action evaluate_js ', 'action run_task '],
      ...['close  event', 'close  delete', 'cancel  ', 'reply  ', 'tool_call ', 'result '],
      ...['throttle', 'reshape', 'redeliver', 'repeat', 'shuffle'],
    ])
      expect(kinds).toContain(kind);
    expect(Math.max(...steps.map(({ timeline }) => timeline.length))).toBeGreaterThan(200);
  });
});
