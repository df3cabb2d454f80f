import { isActive } from '../../../../spec/vocabulary.js';
import {
  DEEP_VALUES,
  LONG_TEXTS,
  MEMBERS,
  NUMBERS,
  STORABLE_TEXTS,
  TEXT_ENDS,
} from '../../../common/interesting-values.js';
import { isSameJson, readField, show, showDifference } from '../../../conversation/json.js';
import { awaitResult, expectResult } from '../../test-case/await-events.js';
import { containsText } from '../../test-case/read-record.js';
import { readCode, type TaskHandle } from '../../test-case/read-task.js';
import { expectConfirmed, openSession, pollForMany, SCRIPT } from '../../test-case/task-steps.js';
import type { TestCase } from '../../test-case/test-case.js';
import type { TestContext } from '../../test-case/test-context.js';
import { ACTING } from './sessions.js';

/** Values of scripts by type: a usual one, and some that services often change. */
const VALUES: readonly { usual: unknown; unusual: readonly unknown[] }[] = [
  {
    usual: 'taskdouble',
    unusual: ['', ' ', '0170', '42', 'true', 'null', '{}', STORABLE_TEXTS.join(' '), ...LONG_TEXTS],
  },
  { usual: 7, unusual: [0, 0.5, 2 ** 40] },
  { usual: true, unusual: [false] },
  { usual: [7], unusual: [[], [[]], [0, ''], STORABLE_TEXTS, NUMBERS, DEEP_VALUES] },
  { usual: { a: 1 }, unusual: [{}, { a: 0, b: '' }, MEMBERS, ...DEEP_VALUES.slice(1)] },
];

interface ScriptForm {
  /** `as args of "return args"`, in messages. */
  what: string;
  createInput: (value: unknown) => Record<string, unknown>;
  /** A service may refuse such an action: a few values show what becomes of others. */
  isOpen?: true;
}

const CONSTANT: ScriptForm = {
  what: 'in the script',
  createInput: (value) => ({ js: `return ${JSON.stringify(value)}` }),
};

/** How a script reads its args is not stated (open point `event.script-form`). */
const ARGUMENTS = ['return args', 'return arguments[0]', '(args) => args'].map(
  (js): ScriptForm => ({
    what: `as args of ${show(js)}`,
    createInput: (args) => ({ js, args }),
    isOpen: true,
  }),
);

function isLong(value: unknown): value is string {
  return LONG_TEXTS.some((text) => text === value);
}

/** The payloads of the successful results, in the order of the values. */
async function runScripts(
  t: TestContext,
  session: TaskHandle,
  { createInput, isOpen }: ScriptForm,
  values: readonly unknown[],
): Promise<unknown[]> {
  const sent = [];
  for (const value of values) {
    const input = createInput(value);
    // Which sizes a service takes is not stated.
    const mayBeRefused = isOpen || isLong(value);
    const { id, response } = await t.act(session, 'evaluate_js', input, {
      ...(mayBeRefused && { mayBeRefused }),
    });
    const what = `evaluate_js ${isLong(value) ? `of ${value.length} characters` : show(input)}`;
    const isRefused = mayBeRefused && [400, 413, 422].includes(response.status);
    const about = response.ok ? [] : (['SESSION-08'] as const);
    const isTaken = !isRefused && (await expectConfirmed(t, session, response, what, ...about));
    sent.push({ id, what, sent: response, isTaken });
  }
  await pollForMany(t, session, sent.length);
  const payloads: unknown[] = [];
  for (const { isTaken, ...action } of sent) {
    const findResult = () =>
      isOpen ? awaitResult(t, session, action.id) : expectResult(t, session, action, 'SESSION-08');
    const result = isTaken ? await findResult() : undefined;
    payloads.push(result && readCode(result) === 200 ? result.payload : undefined);
  }
  return payloads;
}

/** The output, or the object with output and cost (open point `event.result-shape`). */
const READERS = [
  (payload: unknown) => readField(payload, 'output'),
  (payload: unknown) => readField(readField(payload, 'output'), 'output'),
];

/** Compares the outputs with the values, of the types whose usual value is returned unchanged. False if no text is. */
async function compareOutputs(t: TestContext, session: TaskHandle, form: ScriptForm): Promise<boolean> {
  const usual = await runScripts(
    t,
    session,
    form,
    VALUES.map((each) => each.usual),
  );
  // A service may return script values in another form.
  const readers = VALUES.map((each, at) => READERS.find((read) => isSameJson(read(usual[at]), each.usual)));
  const rows = VALUES.flatMap((each, at) => {
    const read = readers[at];
    const unusual = form.isOpen ? each.unusual.slice(0, 1) : each.unusual;
    return read ? unusual.map((value) => ({ value, read, usual: each.usual })) : [];
  });
  const payloads = await runScripts(
    t,
    session,
    form,
    rows.map(({ value }) => value),
  );
  for (const [at, row] of rows.entries()) {
    const payload = payloads[at];
    if (payload === undefined) continue;
    const output = row.read(payload);
    const [wanted, got] = showDifference(row.value, output);
    const size = isLong(row.value) ? ` of ${row.value.length} characters` : '';
    const message = `a script that returns ${show(row.value)}${size} (${form.what}): expected that as output, as for ${show(row.usual)}: ${wanted}, got ${got}`;
    t.expect(['EVENT-12', 'SESSION-08'], isSameJson(output, row.value), message, session.last);
  }
  return readers[0] !== undefined;
}

/** A script without args does not get those of the one before. */
async function expectNoArgs(t: TestContext, session: TaskHandle, form: ScriptForm): Promise<void> {
  const args = [t.unique()];
  const [shown, other] = await runScripts(t, session, form, [args, undefined]);
  const message = `an action without args after one with args ${show(args)} (${form.what}): expected nothing of them, got ${show(other)}`;
  if (containsText(shown, args[0]!) && other !== undefined)
    t.expect('SESSION-08', !containsText(other, args[0]!), message, session.last);
}

const values: TestCase = {
  id: 'sessions/values-of-scripts',
  title: 'The output of a script is its value, also if that is empty, long or resembles another type',
  covers: ['EVENT-08', 'EVENT-12', 'SESSION-08'],
  operations: ACTING,
  tasks: 1,
  async run(t) {
    const session = await openSession(t);
    await compareOutputs(t, session, CONSTANT);
    for (const form of ARGUMENTS) {
      if (!(await compareOutputs(t, session, form))) continue;
      await expectNoArgs(t, session, form);
      break;
    }
    if (!isActive(session.status)) t.inconclusive(`the session was ${session.status} after actions`);
  },
};

/** Ids of actions of many kinds; any unique text is one. */
function createIds(t: TestContext): string[] {
  const digits = `00${t.unique().replaceAll(/\D/g, '')}${Math.floor(t.now())}`;
  // The same beginning and the same length: a part of an id is no id.
  const alike = [20, 100].flatMap((length) => {
    const beginning = `${t.unique()}-${'x'.repeat(length)}`;
    return [`${beginning}1`, `${beginning}2`];
  });
  const ends = Object.values(TEXT_ENDS).map((end) => t.unique() + end);
  return [digits, ` ${t.unique()} `, ...alike, ...ends];
}

/** Differs from the text in the case of its letters alone. */
function swapCase(text: string): string {
  return text.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
}

const ids: TestCase = {
  id: 'sessions/ids-of-any-text',
  title: 'An action has its result under its id, whatever text that is and whichever other task had it',
  covers: ['EVENT-03', 'EVENT-08'],
  operations: ACTING,
  tasks: 2,
  async run(t) {
    const other = await openSession(t);
    const session = await openSession(t);
    const used = t.unique();
    const accepted = new Set<string>();
    for (const [task, id] of [
      [other, used],
      ...createIds(t).map((each) => [session, each]),
      [session, used],
      [session, swapCase(used)],
    ] as [typeof session, string][]) {
      // Which texts a service takes may have bounds, but a text of the same letters is within them.
      const isWithin = accepted.has(swapCase(id));
      const { response } = await t.act(task, 'evaluate_js', SCRIPT, { id, mayBeRefused: true });
      if (!response.ok && !isWithin) continue;
      accepted.add(id);
      const what = `evaluate_js with the id ${show(id)}`;
      if (!(await expectConfirmed(t, task, response, what))) return;
      if (!(await expectResult(t, task, { id, what, sent: response }, 'EVENT-08'))) return;
    }
  },
};

export const valueCases: readonly TestCase[] = [values, ids];
