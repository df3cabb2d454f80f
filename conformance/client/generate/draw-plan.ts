import type { Random } from '../../../mock/generate/random.js';
import { ASKS } from '../../../scenarios/format/types.js';
import { CREDITS, drawCalls, drawSessionParts, drawTaskParts, drawTools, PAUSES_MS } from './draw-parts.js';
import { TASK_IDS } from './names.js';
import {
  drawRefusal,
  drawShapes,
  EVERY_POLL,
  HELD_POLLS,
  LIMITED_POLLS,
  type RefusedKind,
} from './network-rules.js';
import type { CallPlan, ConversationPlan, PlanEnding } from './plan.js';
import { drawFields, drawTask } from './request-fields.js';
import { drawLargeText, drawLongText, drawText, drawValue } from './values.js';

const CANCELS_MS = [0, 1, 200, 500, 700, 1000, 1600];
/** Long enough for many polls, shorter than the patience of a client. */
const LONG_MS: readonly [number, number] = [7000, 12_000];
/** More than 40 polls, however much rarer they grow; once in so many long waits. */
const VERY_LONG_MS: readonly [number, number] = [160_000, 200_000];
const EVERY_LONG = 8;
const SOME_TOOLS: readonly [number, number] = [1, 4];
const MANY_TOOLS: readonly [number, number] = [9, 20];

/**
 * One conversation of this many has the feature. `addresses`: requests live view, recording and downloads. `named`: a task id of
 * another form. `patience`: longer than a client may expect. `large`: once a text that is larger than one read, once long texts that
 * the client sends. `held`: the response to a poll is late. `limited`: many polls in a row are refused with 429. `endless`: the task does not end.
 */
const EVERY = {
  many: 17,
  actions: 23,
  cancel: 7,
  refusal: 3,
  addresses: 8,
  compressed: 9,
  named: 6,
  patience: 19,
  large: 13,
  held: 20,
  limited: 25,
  endless: 37,
};

/** More than a tenth of the shortest deadline, ms: adapters give up a tenth before it. */
const LATE_CALL_MS = 8000;

/** Draws the plan of conversation `number`, from 1. Features rotate with the number, so that a short search covers all of them. */
export function drawPlan(random: Random, number: number): ConversationPlan {
  const isRefused = number % EVERY.refusal === 0;
  if (!isRefused && number % EVERY.endless === 10) return drawEndless(random, number);
  const refused = isRefused ? drawRefusal(random, number / EVERY.refusal) : undefined;
  const isMany = !isRefused && number % EVERY.many === EVERY.many - 1;
  const hasManyActions = !isRefused && !isMany && number % EVERY.actions === 7;
  const isCancelled =
    refused?.kind === 'cancel' || (!refused && !hasManyActions && number % EVERY.cancel === EVERY.cancel - 1);
  const isSession = hasManyActions || (!isMany && isSessionFor(refused?.kind, random));
  const hasNoTools = !isMany && refused?.kind !== 'reply' && random.next() < 0.25;
  const tools = drawTools(random, hasNoTools ? 0 : random.int(...(isMany ? MANY_TOOLS : SOME_TOOLS)));
  const callParts = tools.length > 0 ? drawCalls(random, tools, isMany) : [];
  const parts = isSession
    ? drawSessionParts(random, callParts, refused?.kind, hasManyActions)
    : drawTaskParts(random, callParts);
  const isStructured = !isSession && random.next() < 0.5;
  const isNamed = number % EVERY.named === 2;
  const plan: ConversationPlan = {
    task: isSession ? null : drawTask(random),
    ...(isNamed && { task_id: TASK_IDS[Math.floor(number / EVERY.named) % TASK_IDS.length]! }),
    fields: drawFields(random, number),
    ...(isStructured && { isStructured }),
    tools,
    parts,
    ending: isSession ? drawSessionEnding(random, refused?.kind) : drawTaskEnding(random, isStructured),
    network: [...(refused?.rules ?? []), ...drawShapes(random, isMany)],
    ...(isCancelled && { cancel_ms: CANCELS_MS[Math.floor(number / EVERY.cancel) % CANCELS_MS.length]! }),
  };
  if (refused?.repetition) random.pick(listCalls(plan)).repetition = refused.repetition;
  if (!isSession && !refused && random.next() < 0.12) abandonCalls(plan);
  if (number % EVERY.addresses === 5 && !refused && !isCancelled)
    addAsk(plan, random, Math.floor(number / EVERY.addresses));
  if (number % EVERY.compressed === 4) plan.network.push({ network: 'compress', ...EVERY_POLL });
  // The run needs more polls than the rule skips.
  if (refused?.kind === 'poll') plan.ending.after_ms = 1200;
  if (number % EVERY.patience === 3 && !hasManyActions && !isMany)
    plan.ending.after_ms = random.int(
      ...(Math.floor(number / EVERY.patience) % EVERY_LONG === 1 ? VERY_LONG_MS : LONG_MS),
    );
  if (number % EVERY.large === 6) enlarge(plan, random);
  if (number % EVERY.large === 2) lengthen(plan, random);
  // The task may end while the client cancels it.
  if (isCancelled && !refused && random.next() < 0.5) {
    plan.network.push({
      network: 'delay',
      time_ms: random.int(500, 2500),
      of: { cancel: true },
      side: 'request',
    });
    plan.ending.after_ms = random.pick(PAUSES_MS);
  } else if (isCancelled && (refused || random.next() < 0.6)) plan.ending.after_ms = LONG_MS[1];
  if (!refused) addStrain(plan, random, number);
  return plan;
}

/**
 * A task that runs until the client gives up. It is short: in real time the client waits as long as it may. Those with an even
 * number have a late call, with which the time limit of the job does not start again.
 */
function drawEndless(random: Random, number: number): ConversationPlan {
  const hasCalls = number % 2 === 0;
  const tools = drawTools(random, hasCalls ? 1 : 0);
  const calls = hasCalls ? drawCalls(random, tools, false).slice(0, 1) : [];
  const status = hasCalls ? 'running' : random.pick(['waiting', 'running'] as const);
  return {
    task: drawTask(random),
    fields: drawFields(random, number),
    tools,
    parts: [{ kind: 'status', status }, ...calls.map((each) => ({ ...each, after_ms: LATE_CALL_MS }))],
    ending: { status: 'done', isEndless: true },
    network: [],
  };
}

/** A cancel that is due while the task is created, a poll that is held, or polls that stay limited. */
function addStrain(plan: ConversationPlan, random: Random, number: number): void {
  if (plan.cancel_ms !== undefined && number % 2 === 0)
    plan.network.push({ network: 'delay', time_ms: 1800, of: { create: true } });
  const rule =
    number % EVERY.held === 8
      ? HELD_POLLS[Math.floor(number / EVERY.held) % HELD_POLLS.length]
      : number % EVERY.limited === 13
        ? LIMITED_POLLS
        : undefined;
  if (!rule) return;
  plan.network.push(rule);
  // The run needs more polls than the rule skips.
  plan.ending.after_ms = Math.max(plan.ending.after_ms ?? 0, random.int(1200, 1500));
}

/** Addresses that are late, missing or removed again; a second wait for the end. */
function addAsk(plan: ConversationPlan, random: Random, turn: number): void {
  const { parts, ending } = plan;
  const requested = ASKS[turn % ASKS.length]!;
  plan.asks = [requested];
  const late = { polls: random.int(1, 3) };
  if (requested === 'live_url') {
    const comes = { service: 'live_url', value: 'auto', after: { polls: 1 } } as const;
    parts.unshift({ kind: 'address', step: { service: 'live_url', value: null } });
    parts.splice(random.int(1, parts.length), 0, { kind: 'address', step: comes });
    if (random.next() < 0.7) parts.push({ kind: 'address', step: { ...comes, value: null } });
  }
  if (requested === 'recording_url') {
    ending.recording_url = random.pick([null, null, '', 'auto']);
    if (ending.recording_url === null)
      ending.later = [{ service: 'recording_url', value: random.pick(['auto', '']), after: late }];
  }
  if (requested === 'downloads_url')
    ending.later = [{ service: 'downloads_url', value: 'auto', after: late }];
  if (requested === 'wait_again') ending.after_ms = 1500;
}

/** Makes one of the texts that the service sends large. */
function enlarge(plan: ConversationPlan, random: Random): void {
  const { parts, ending, task, isStructured } = plan;
  const [call] = listCalls(plan);
  // A result with code 200 has to match a schema, except that of a script.
  const [result] = parts.flatMap((part) =>
    part.kind === 'action' && (part.name === 'evaluate_js' || part.result?.code !== 200)
      ? (part.result ?? [])
      : [],
  );
  if (call) call.input['large'] = drawLargeText(random);
  else if (result) result.output = drawLargeText(random);
  else if (task !== null && !isStructured) ending.output = drawLargeText(random);
}

/** Makes the task and a reply long, but short enough for an environment variable. */
function lengthen(plan: ConversationPlan, random: Random): void {
  if (plan.task !== null) plan.task = drawLongText(random);
  const [call] = listCalls(plan);
  if (call) call.reply = { code: 200, output: drawLongText(random) };
}

/** Without those during an action. */
function listCalls({ parts }: ConversationPlan): CallPlan[] {
  return parts.flatMap((part) => (part.kind === 'calls' ? part.calls : []));
}

/** The service ends the task without the replies to its last calls. */
function abandonCalls({ parts, ending }: ConversationPlan): void {
  const last = parts.at(-1);
  if (last?.kind !== 'calls') return;
  last.isAbandoned = true;
  ending.status = 'failed';
  delete ending.output;
}

function isSessionFor(refused: RefusedKind | undefined, random: Random): boolean {
  if (refused === 'action' || refused === 'close') return true;
  return refused === 'reply' || refused === 'cancel' ? false : random.next() < 0.5;
}

function drawTaskEnding(random: Random, isStructured: boolean): PlanEnding {
  const status =
    isStructured || random.next() < 0.75 ? 'done' : random.pick(['failed', 'cancelled'] as const);
  return {
    status,
    ...(status === 'done' && {
      output: isStructured ? drawValue(random) : random.next() < 0.1 ? null : drawText(random),
    }),
    ...(status === 'failed' && random.next() < 0.5 && { output: drawText(random) }),
    ...drawEnd(random, 0.3),
  };
}

function drawSessionEnding(random: Random, refused: RefusedKind | undefined): PlanEnding {
  const chance = random.next();
  const close = refused === 'close' || chance < 0.6 ? 'event' : chance < 0.8 ? 'delete' : undefined;
  return {
    ...(close && { close }),
    status: random.next() < 0.8 ? 'done' : random.pick(['failed', 'cancelled'] as const),
    ...drawEnd(random, close ? 0.3 : 0.7),
  };
}

/** `atOnce`: the chance that the last event and the terminal status are in one response. */
function drawEnd(random: Random, atOnce: number): Pick<PlanEnding, 'credits_used' | 'after_ms' | 'at_once'> {
  const isAtOnce = random.next() < atOnce;
  return {
    credits_used: random.pick(CREDITS),
    after_ms: isAtOnce && random.next() < 0.7 ? 0 : random.pick(PAUSES_MS),
    ...(isAtOnce && { at_once: true }),
  };
}
