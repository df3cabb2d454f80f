import { describe, expect, it } from 'vitest';
import { loadScenarioText } from '../../scenarios/format/load/load-text.js';
import { generateConversation } from '../client/generate/generate-scenario.js';
import { simplifyPlan } from '../client/generate/minimize-plan.js';
import type { ConversationPlan } from '../client/generate/plan.js';
import { judgeRun } from '../client/judge/verdict.js';
import { play } from '../client/run/play.js';
import type { ClientFunction } from '../client/types.js';
import { minimize } from '../common/minimize.js';
import type { ConformEvent } from '../service/runner/result.js';
import { checkClient } from './check-client.js';
import { ConversationReproducer } from './conversation-reproducer.js';

type Pieces = Record<
  'reply',
  (this: unknown, id: string, outcome: { code: number; output: unknown }) => Promise<void>
>;
const {
  makeClient,
  pieces,
  run: reference,
} = (await import(new URL('../../fixtures/clients/reference.mjs', import.meta.url).href)) as {
  makeClient(variation: Partial<Pieces>): ClientFunction;
  pieces: Pieces;
  run: ClientFunction;
};

const PLAIN = ['polling/one-shot', 'status-codes/failed'];

describe('a search', () => {
  it('plays generated conversations after the scenarios, named by their seed', async () => {
    const report = await checkClient({
      client: reference,
      scenarios: PLAIN,
      search: 5,
      seed: 3,
      unknownScenario: false,
    });
    expect(report.summary).toMatchObject({ passed: 4 * (PLAIN.length + 5), failed: 0 });
    expect([...new Set(report.checks.map((check) => check.case))].slice(PLAIN.length)).toEqual(
      [1, 2, 3, 4, 5].map((number) => `generated/3-${number}`),
    );
  });
});

describe('the time of a search', () => {
  it('limits the number of conversations, and a note gives that number', async () => {
    const notes: string[] = [];
    const report = await checkClient(
      { client: reference, scenarios: PLAIN, search: 5, searchTimeMs: 0, unknownScenario: false },
      (event) => {
        if (event.type === 'note') notes.push(event.text);
      },
    );
    expect(report.summary).toMatchObject({ passed: 4 * PLAIN.length, failed: 0 });
    expect(notes).toEqual(['the time of the search is over: 0 of 5 generated conversations were played']);
  });

  it.each(['isStopped', 'isOver'] as const)('ends minimizing: %s', async (which) => {
    const generated = generateConversation(1, 1);
    const client = {
      kind: 'function' as const,
      run: makeClient({ line: () => ({ status: 'completed' }) } as object),
    };
    const first = await play(generated.scenario, client);
    const findings = judgeRun(first);
    let runs = 0;
    const ends = { isStopped: () => false, isOver: () => false, [which]: () => runs >= 3 };
    const reproducer = new ConversationReproducer({
      play: (scenario) => {
        runs++;
        return play(scenario, client);
      },
      commandLine: 'FILE',
      ...ends,
    });
    const found = await reproducer.reproduce(generated, first, findings.slice(0, 1));
    expect(found.map(({ rule }) => rule)).toEqual(findings.slice(0, 1).map(({ rule }) => rule));
    expect(found[0]!.markdown).not.toMatch(/nondeterministic/);
    // What is written is played once more, unless the search was stopped.
    expect(runs).toBe(which === 'isStopped' ? 3 : 4);
  });
});

describe('a failure that a search finds', () => {
  const falsyLost = makeClient({
    reply(id, outcome) {
      return pieces.reply.call(this, id, { ...outcome, output: outcome.output || null });
    },
  });
  const found: Extract<ConformEvent, { type: 'failure' }>[] = [];
  const search = () =>
    checkClient({ client: falsyLost, scenarios: PLAIN, search: 20, unknownScenario: false }, (event) => {
      if (event.type === 'failure') found.push(event);
    });

  it('is minimized to the smallest conversation that reproduces it, and has files', async () => {
    const { checks, causes, exchanges } = await search();
    expect(found.map(({ name }) => name)).toEqual(['replies-outcome']);
    const { yaml, markdown } = found[0]!;
    const { scenario, problems } = loadScenarioText(yaml, { file: 'x.yaml', name: 'x' });
    expect(problems).toEqual([]);
    const [call, reply, end, ...more] = scenario!.timeline;
    expect(call).toMatchObject({ service: 'tool_call', input: {} });
    expect(reply).toMatchObject({ client: 'reply', code: 200 });
    expect(['', false, 0]).toContain((reply as { output: unknown }).output);
    expect(end).toMatchObject({ service: 'finish' });
    expect(more).toEqual([]);
    expect(scenario!.reproduces).toMatchObject({ failure: `replies/outcome ${call!.id}`, seed: 1 });
    expect(markdown).toContain('What is left of `generated/1-');
    const shrunk = checks.filter(({ shrunk: isShrunk }) => isShrunk);
    expect(shrunk.map(({ id }) => id)).toEqual([causes[0]!.example]);
    const seqs = new Set(exchanges.map(({ seq }) => seq));
    for (const { evidence } of checks) for (const seq of evidence) expect(seqs).toContain(seq);
  });

  it('is reproduced from its file, but not with a correct client', async () => {
    const { scenario } = loadScenarioText(found[0]!.yaml, { file: 'x.yaml', name: 'x' });
    const failed = async (client: ClientFunction) =>
      (await checkClient({ client, scenarios: [scenario!], unknownScenario: false })).summary.failed;
    expect(await failed(falsyLost)).toBe(1);
    expect(await failed(reference)).toBe(0);
  });
});

describe('simplifyPlan', () => {
  it('keeps what is needed, and stays within its runs', async () => {
    const { plan } = generateConversation(1, 50);
    const calls = ({ parts }: ConversationPlan) =>
      parts.flatMap((part) => (part.kind === 'calls' ? part.calls : []));
    let runs = 0;
    const shows = async (candidate: ConversationPlan) => {
      runs++;
      return calls(candidate).length >= 3;
    };
    const small = await minimize(plan, simplifyPlan, shows, { runs: 500 });
    expect(calls(plan).length).toBeGreaterThan(50);
    expect(calls(small).length).toBe(3);
    expect(small).toMatchObject({ task: 'x', fields: {}, network: [] });
    expect(runs).toBeLessThan(200);
    runs = 0;
    await minimize(plan, simplifyPlan, shows, { runs: 5 });
    expect(runs).toBe(5);
    runs = 0;
    await minimize(plan, simplifyPlan, shows, { runs: 500, isOver: () => runs >= 7 });
    expect(runs).toBe(7);
  });
});
