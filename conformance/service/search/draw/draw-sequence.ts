import type { Random } from '../../../../mock/generate/random.js';
import { type OperationId, operations } from '../../../../spec/generated/operations.js';
import { type CommandBuilder, commandBuilders } from '../../operations/definitions.js';
import { TOPICS, type Topic } from '../../operations/operation.js';
import type { Allowance, KeyName } from '../../test-case/test-case.js';
import { IMPOSSIBLE } from '../judge/follow.js';
import { LONGEST_ACTION_MS } from '../judge/task-facts.js';
import type { StepSource } from '../play.js';
import { isPresent, type Resource } from '../sequence/resources.js';
import { type Command, isWait, listCommands, type SequenceStep } from '../sequence/sequence.js';
import { audit } from './audit.js';
import { type CommandCoverage, DrawContext, pickWeighted } from './draw.js';
import { drawCommand } from './draw-command.js';
import { omitParameter, pickChange, recreateResource, renewEventId, repeat, repeatAtOnce } from './repeat.js';

/** Number of requests in one sequence. */
const LENGTH = { least: 8, most: 27 };
/** Tasks and sessions that one sequence creates, at most. */
const MOST_TASKS = 4;
/**
 * Factors for the frequency of a kind of request in one sequence. Some kinds are nearly left out, so that the others interact
 * more often.
 */
const PRIORITIES = [0.1, 1, 1, 3];
const CREATION_PRIORITIES = [1, 1, 2];
/** Requests of at least this weight are essential to their topic: every sequence includes them. */
const MAIN_WEIGHT = 3;
/** Waits, ms, long enough for agents to act. The last outlasts a browser of the deprecated endpoint. */
const WAITS = [200, 600, 1500, 4000, 61_000, 301_000];
/** Factor by which an operation is more likely that has followed none of the earlier ones in any sequence. */
const NEW_PAIR = 30;
/** Share of actions that begin a long log. */
const LOGS = 0.1;
/** Requests of one kind in a row. */
const MOST_IN_ROW = 5;
/** Share of requests of other topics. */
const STRAYS = 0.2;
/** The same if a resource is in a state in which the operation was never sent. */
const NEW_STATE = 3;
/** A longer wait, ms, is recorded in the history of each resource. */
const LONG_WAIT_MS = 60_000;

export interface DrawSettings {
  coverage: CommandCoverage;
  forms: ReadonlyMap<OperationId, number>;
  /** Operations and conditions that are no longer drawn. */
  avoided: ReadonlySet<string>;
  allow: readonly Allowance[];
  keys: readonly KeyName[];
  longestWaitMs: number;
}

/** Relative number of sequences per topic (default 1): larger topics get more. */
const SHARES: Readonly<Partial<Record<Topic, number>>> = {
  sessions: 2.5,
  tools: 2,
  chats: 2,
  uploads: 1.5,
  sops: 0.8,
  browsers: 0.7,
};

/** The topics of one sequence: few, so that its requests interact. */
export function drawTopics(
  random: Random,
  isAlone: boolean,
  { operations: pairs }: CommandCoverage,
): Topic[] {
  const others = TOPICS.filter((family) => family !== 'account');
  const first = isAlone
    ? 'account'
    : others[
        pickWeighted(
          random,
          others.map((family) => SHARES[family] ?? 1),
        )
      ]!;
  if (random.next() >= (isAlone ? 0.8 : 0.5)) return [first];
  // A topic whose operations have not followed those of the first, nor come before them.
  const weights = others.map((topic) => 1 + pairs.countNewPairs(listOperations([first, topic])));
  const more = Array.from({ length: isAlone ? 2 : 1 }, () => others[pickWeighted(random, weights)]!);
  return [...new Set<Topic>([first, ...more])];
}

function listOperations(topics: readonly Topic[]): OperationId[] {
  const own = commandBuilders.filter((builder) => builder.topics.some((topic) => topics.includes(topic)));
  return [...new Set(own.map(({ operation }) => operation))];
}

/** Draws the steps of a sequence one by one, each from the resources that the steps before created. */
export function drawSteps(drawing: DrawSettings, random: Random, topics: readonly Topic[]): StepSource {
  const { allow, avoided, keys } = drawing;
  const isAlone = topics.includes('account');
  const all = commandBuilders.filter(
    (builder) =>
      (isAlone || builder.topics.some((family) => family !== 'account')) &&
      (builder.drawAllow === undefined || allow.includes(builder.drawAllow)) &&
      !avoided.has(builder.operation),
  );
  const own = all.filter((builder) => builder.topics.some((family) => topics.includes(family)));
  const key = isAlone || random.next() < 0.85 ? 'main' : random.pick(keys.filter((name) => name !== 'other'));
  const sent = new Map<CommandBuilder, number>();
  const priorities = new Map(all.map((builder) => [builder, random.pick(listPriorities(builder))]));
  let left = random.int(LENGTH.least, LENGTH.most);
  let tasks = 0;
  let draw: DrawContext | undefined;
  let resources: readonly Resource[] = [];
  let end: ReturnType<typeof audit> | undefined;
  let many: OperationId | undefined;
  let manyLeft = 0;
  const made = new Map<string, Command>();
  /** Changes of resources, to repeat in other states. */
  const changes: Command[] = [];
  let queue: SequenceStep[] = [];

  const computeNewShare = ({ operation }: CommandBuilder) =>
    drawing.coverage.operations.computeNewShare(operation, draw!.sent);
  const computeNovelty = (builder: CommandBuilder, priority: number) => {
    const { operation, of, makes, finds } = builder;
    const kind = makes ?? finds;
    const isMissing = kind && !resources.some((each) => each.kind === kind && isPresent(each));
    // What needs the missing resource, too.
    const waiting = isMissing ? own.filter((each) => each.of === kind) : [];
    const share = Math.max(...[builder, ...waiting].map(computeNewShare));
    const isNew = of && resources.some((each) => each.kind === of && draw!.isInNewState(operation, each));
    return (priority + NEW_PAIR * share) * (isNew ? NEW_STATE : 1);
  };
  /** Of another topic, where it follows operations that it never followed. */
  const isStray = (builder: CommandBuilder) =>
    (builder.of === undefined || resources.some(({ kind }) => kind === builder.of)) &&
    !builder.topics.some((each) => topics.includes(each)) &&
    computeNewShare(builder) > 0.2;
  const drawOne = (
    only: (builder: CommandBuilder) => boolean = () => true,
    from = own,
  ): Command | undefined => {
    const candidates = from.filter(
      (builder) => only(builder) && (builder.makes !== 'task' || tasks < MOST_TASKS),
    );
    if (candidates.length === 0) return undefined;
    const weights = candidates.map((builder) => {
      const kind = builder.makes ?? builder.finds;
      const there = kind ? resources.filter((each) => each.kind === kind && isPresent(each)).length : 2;
      const missing = there === 0 ? 4 : there === 1 ? 1.5 : 1;
      // Reads follow changes, and the audit reads everything at the end.
      const share = isRead(builder) && builder.operation !== 'getTask' ? 0.5 : 1;
      return (
        ((builder.weight ?? 1) * share * missing * computeNovelty(builder, priorities.get(builder)!)) /
        (1 + (sent.get(builder) ?? 0)) ** 0.3
      );
    });
    for (let tries = 0; tries < 8; tries++) {
      const builder = candidates[pickWeighted(random, weights)]!;
      const command = drawCommand(builder, draw!);
      if (!command || avoided.has(`${command.operation} ${command.condition}`)) continue;
      sent.set(builder, (sent.get(builder) ?? 0) + 1);
      if (builder.makes === 'task' || builder.makes === 'chat') tasks++;
      return command;
    }
    return undefined;
  };

  return (now, last) => {
    resources = now;
    draw ??= new DrawContext(random, resources, key, keys.includes('other'), drawing.forms, drawing.coverage);
    draw.resources = resources;
    if (last) recordStep(draw, last);
    if (end || left-- <= 0) {
      end ??= audit({ builders: own, draw, avoided, changes, longestWaitMs: drawing.longestWaitMs });
      return end.next().value;
    }
    const [before] = last ? listCommands(last) : [];
    for (const command of last ? listCommands(last) : []) {
      if (command.as !== undefined) made.set(command.as, command);
      else if (isValidChange(command)) changes.push(command);
    }
    const next = queue.shift();
    if (next) return next;
    draw.focus = before?.on ?? before?.as ?? draw.focus;
    const isChange = before && operations[before.operation].method !== 'GET';
    const roll = random.next();
    // Lists may be paginated: create many resources of one kind in a row.
    if (many) {
      const same = many;
      const isLog = manyLeft > MOST_IN_ROW && before && isPlainAction(before);
      if (--manyLeft <= 0) many = undefined;
      if (isLog) {
        left++;
        return renewEventId(before, draw);
      }
      return drawOne((builder) => builder.operation === same && builder.makes !== 'task') ?? drawOne();
    }
    if (
      roll > 0.96 &&
      before &&
      !('together' in last!) &&
      (before.as !== undefined || before.operation === 'sendTaskEvent')
    ) {
      many = before.operation;
      manyLeft = MOST_IN_ROW;
    }
    const isOpen = resources.some(({ label, state }) => label === before?.on && state === 'session');
    if (isOpen && before && isPlainAction(before) && random.next() < LOGS) {
      many = before.operation;
      manyLeft = drawLogLength(random);
    }
    const isSlow = before?.operation === 'sendTaskEvent' && last && 'together' in last;
    if (isSlow && roll < 0.4 && drawing.longestWaitMs >= LONGEST_ACTION_MS)
      return { wait_ms: LONGEST_ACTION_MS };
    const isNewTask = before?.operation === 'createTask';
    if (roll < (isNewTask ? 0.4 : 0.12) && before)
      return { wait_ms: random.pick(WAITS.filter((ms) => ms <= drawing.longestWaitMs)) };
    const removed =
      before && resources.find((each) => each.removedBy === before.operation && each.label === before.on);
    if (removed && !('together' in last!) && random.next() < 0.2) {
      queue = recreateResource(before!, removed, made, draw, tasks < MOST_TASKS);
      if (queue.some((step) => 'operation' in step && step.operation === 'createTask')) tasks++;
      if (queue.length > 0) return queue.shift();
    }
    // What was refused must not have happened, nor hinder what is valid.
    const isRefused = before?.on !== undefined && (before.astray ?? before.invalid) !== undefined;
    const valid = isRefused && random.next() < 0.3 ? pickChange(changes, draw) : undefined;
    if (valid) return valid;
    if (roll < 0.22 && before && !('together' in last!))
      return (roll < 0.17 ? omitParameter(before, draw) : undefined) ?? repeat(before, draw);
    if (random.next() < STRAYS) {
      const stray = drawOne(isStray, all);
      if (stray) return stray;
    }
    if (roll < 0.36) {
      const together = drawTogether(drawOne, random, draw);
      if (together) return together;
    }
    return (isChange && random.next() < 0.4 ? drawOne(isRead) : undefined) ?? drawOne();
  };
}

/** Number of actions in a row: a service may read its events in pages. Long logs are rare, since they take long. */
function drawLogLength(random: Random): number {
  const roll = random.next();
  if (roll < 0.004) return 1010;
  return roll < 0.3 ? 110 : 30;
}

/** An action that a session performs again and again. */
function isPlainAction({ operation, body, open, astray, invalid, condition }: Command): boolean {
  const text = JSON.stringify(body);
  return (
    operation === 'sendTaskEvent' &&
    text.includes('browser_action') &&
    text.includes('{{word.event') &&
    ![open, astray, invalid].some(Boolean) &&
    condition !== IMPOSSIBLE
  );
}

function listPriorities({ makes, weight = 1 }: CommandBuilder): readonly number[] {
  if (makes) return CREATION_PRIORITIES;
  return weight < MAIN_WEIGHT ? PRIORITIES : PRIORITIES.filter((each) => each >= 1);
}

function isRead({ operation }: CommandBuilder): boolean {
  return operations[operation].method === 'GET';
}

function isValidChange({ operation, on, astray, invalid }: Command): boolean {
  return operations[operation].method !== 'GET' && on !== undefined && !astray && !invalid;
}

/** Two or three concurrent requests, half the time about the same resource. */
function drawTogether(
  drawOne: (only?: (builder: CommandBuilder) => boolean) => Command | undefined,
  random: Random,
  draw: DrawContext,
): SequenceStep | undefined {
  const first = drawOne();
  if (!first) return undefined;
  draw.focus = (random.next() < 0.5 ? findOther(first.on, draw) : undefined) ?? first.on;
  const together = [first];
  const most = random.int(2, first.operation === 'sendTaskEvent' ? 4 : 3);
  while (together.length < most) {
    const roll = random.next();
    const isAlike = ({ operation }: CommandBuilder) => operation === first.operation;
    const next =
      roll < 0.25
        ? repeatAtOnce(first, together.length)
        : ((roll < 0.65 ? drawOne(isAlike) : undefined) ?? drawOne());
    if (!next) break;
    together.push(next);
  }
  return together.length < 2 ? first : { together };
}

/** Another resource of the same kind: concurrent requests about two of them may be mixed up. */
function findOther(label: string | undefined, draw: DrawContext): string | undefined {
  const kind = draw.resources.find((each) => each.label === label)?.kind;
  return kind && draw.pickResource(kind, (each) => isPresent(each) && each.label !== label)?.label;
}

function recordStep(draw: DrawContext, step: SequenceStep): void {
  const { resources, coverage } = draw;
  if (isWait(step)) {
    if (step.wait_ms > LONG_WAIT_MS) draw.recordWait();
    return;
  }
  const commands = listCommands(step);
  for (const command of commands) {
    const { operation, on, condition } = command;
    draw.recordCommand(command);
    const resource = resources.find(({ label }) => label === on);
    coverage.add(operation, resource?.state ?? '-', condition);
    if (commands.length > 1)
      coverage.add(operation, resource && isPresent(resource) ? 'there' : '-', 'at once');
  }
}
