import { play } from '../../../conformance/client/run/play.js';
import type { ClientRun } from '../../../conformance/client/types.js';
import { Conversation } from '../../../conformance/conversation/conversation.js';
import { asFields } from '../../../conformance/conversation/json.js';
import { ReadExchange } from '../../../conformance/conversation/read-exchange.js';
import { recordedTasks } from '../../../conformance/recordings/scenario/recorded-task.js';
import { scenarioOf } from '../../../conformance/recordings/scenario/scenario-of.js';
import { writeRecorded } from '../../../conformance/recordings/scenario/scenarios-from.js';
// @ts-expect-error: a client in plain JavaScript
import { makeClient } from '../../../fixtures/clients/reference.mjs';
import { loadScenarioText } from '../../../scenarios/format/load/load-text.js';
import type { Scenario } from '../../../scenarios/format/types.js';
import type { Exchange } from '../../../spec/vocabulary.js';

const CLIENT = { kind: 'function', run: makeClient() } as const;

/**
 * A library scenario played by the reference client, its journal as a scenario, and that played by the same client. `keep`: what the
 * recording has of an exchange.
 */
export async function roundTrip(scenario: Scenario, keep = (exchange: Exchange) => exchange) {
  const before = await play(scenario, CLIENT);
  const { tasks } = recordedTasks(before.exchanges.map(keep));
  const made = scenarioOf(tasks[0]!, 'recorded');
  const yaml = writeRecorded(made, { file: 'journal', task: tasks[0]! });
  const { scenario: loaded, problems } = loadScenarioText(yaml, { file: 'recorded.yaml', name: 'recorded' });
  const after = loaded && (await play(loaded, CLIENT));
  return { yaml, problems, before: contentOf(before), after: after && contentOf(after) };
}

/** What was said, without ids and times. */
export function contentOf({ exchanges, line }: Pick<ClientRun, 'exchanges' | 'line'>) {
  const { tasks } = new Conversation(exchanges.map((each) => new ReadExchange(each)));
  const { status, output, results, tool_runs } = line ?? {};
  return {
    line: plain({ status, output, results, tool_runs }),
    tasks: [...tasks.values()].map((task) => ({
      request: withoutNulls(task.request),
      calls: [...task.calls].map(([id, { event, isReissued }]) => ({
        call: event.payload,
        isReissued,
        reply: task.replyTo(id)?.reply?.payload,
        isAccepted: task.replies.get(id)?.some(({ ok }) => ok),
      })),
      actions: [...task.actions.values()].map(({ attempts }) => attempts[0]?.sent?.payload),
      results: [...task.results.values()].map(({ event }) => plain(event.payload)),
      end: plain({
        status: task.end?.status,
        output: task.end?.record?.output,
        credits_used: task.end?.record?.credits_used,
      }),
      isStopped: task.cancelled !== undefined,
    })),
  };
}

/** A field that is null says as much as one that is not there. */
function withoutNulls(request: object | undefined) {
  return Object.fromEntries(Object.entries(request ?? {}).filter(([, value]) => value !== null));
}

/** Addresses on a mock and durations differ from run to run. */
function plain(value: unknown): unknown {
  if (typeof value === 'string')
    return value.replace(/https?:\/\/(localhost|127\.0\.0\.1|\[::1\])[^\s"]*/g, '<address>');
  if (Array.isArray(value)) return value.map(plain);
  const fields = asFields(value);
  if (!fields) return value;
  return Object.fromEntries(
    Object.entries(fields).flatMap(([key, each]) => (key === 'duration' ? [] : [[key, plain(each)]])),
  );
}
