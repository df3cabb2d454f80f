import { play } from '../../../conformance/client/run/play.js';
import type { ClientRun } from '../../../conformance/client/types.js';
import { Conversation } from '../../../conformance/conversation/conversation.js';
import { toFields } from '../../../conformance/conversation/json.js';
import { ReadExchange } from '../../../conformance/conversation/read-exchange.js';
import { writeRecordedScenario } from '../../../conformance/recordings/scenario/convert-recording.js';
import { toScenario } from '../../../conformance/recordings/scenario/recorded-scenario.js';
import { readRecordedTasks } from '../../../conformance/recordings/scenario/recorded-task.js';
// @ts-expect-error: a client in plain JavaScript
import { makeClient } from '../../../fixtures/clients/reference.mjs';
import { loadScenarioText } from '../../../scenarios/format/load/load-text.js';
import type { Scenario } from '../../../scenarios/format/types.js';
import type { Exchange } from '../../../spec/vocabulary.js';

const CLIENT = { kind: 'function', run: makeClient() } as const;

/**
 * Plays a library scenario with the reference client, converts the journal to a scenario, and plays that with the same client.
 * `keep`: selects the recorded parts of an exchange.
 */
export async function playRoundTrip(scenario: Scenario, keep = (exchange: Exchange) => exchange) {
  const before = await play(scenario, CLIENT);
  const { tasks } = readRecordedTasks(before.exchanges.map(keep));
  const made = toScenario(tasks[0]!, 'recorded');
  const yaml = writeRecordedScenario(made, { file: 'journal', task: tasks[0]! });
  const { scenario: loaded, problems } = loadScenarioText(yaml, { file: 'recorded.yaml', name: 'recorded' });
  const after = loaded && (await play(loaded, CLIENT));
  return { yaml, problems, before: extractContent(before), after: after && extractContent(after) };
}

/** The content of the exchanges, without ids and times. */
export function extractContent({ exchanges, line }: Pick<ClientRun, 'exchanges' | 'line'>) {
  const { tasks } = new Conversation(exchanges.map((each) => new ReadExchange(each)));
  const { status, output, results, tool_runs } = line ?? {};
  return {
    line: normalizeValue({ status, output, results, tool_runs }),
    tasks: [...tasks.values()].map((task) => ({
      request: omitNulls(task.request),
      calls: [...task.calls].map(([id, { event, isReissued }]) => ({
        call: event.payload,
        isReissued,
        reply: task.findReply(id)?.reply?.payload,
        isAccepted: task.replies.get(id)?.some(({ ok }) => ok),
      })),
      actions: [...task.actions.values()].map(({ attempts }) => attempts[0]?.sent?.payload),
      results: [...task.results.values()].map(({ event }) => normalizeValue(event.payload)),
      end: normalizeValue({
        status: task.end?.status,
        output: task.end?.record?.output,
        credits_used: task.end?.record?.credits_used,
      }),
      isStopped: task.cancelled !== undefined,
    })),
  };
}

/** A null field means the same as an absent field. */
function omitNulls(request: object | undefined) {
  return Object.fromEntries(Object.entries(request ?? {}).filter(([, value]) => value !== null));
}

/** Replaces addresses of a mock and durations, which differ between runs. */
function normalizeValue(value: unknown): unknown {
  if (typeof value === 'string')
    return value.replace(/https?:\/\/(localhost|127\.0\.0\.1|\[::1\])[^\s"]*/g, '<address>');
  if (Array.isArray(value)) return value.map(normalizeValue);
  const fields = toFields(value);
  if (!fields) return value;
  return Object.fromEntries(
    Object.entries(fields).flatMap(([key, each]) =>
      key === 'duration' ? [] : [[key, normalizeValue(each)]],
    ),
  );
}
