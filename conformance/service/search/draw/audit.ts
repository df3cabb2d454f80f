import type { Random } from '../../../../mock/generate/random.js';
import { operations } from '../../../../spec/generated/operations.js';
import { ADDRESS, LONGEST_ACTION_MS } from '../../operations/collect-facts.js';
import type { Command } from '../../operations/command.js';
import { type CommandBuilder, isListOperation } from '../../operations/definitions.js';
import { isPresent, type Resource } from '../../operations/observed.js';
import { drawFields, formatReference } from '../../operations/operation.js';
import { createCommand, type SequenceStep } from '../sequence/sequence.js';
import type { DrawContext } from './draw.js';
import { pickChange } from './repeat.js';

/** After this time, ms, a service may have evicted data that no request has read. */
const LONG_MS = 65_000;
/** An agent needs its first tool within this time, ms, or is not waited for. */
const CALL_MS = 1500;
/** Waits for further results, at most. */
const MOST_ROUNDS = 2;
/** Resources of a kind that are read at the end, at most. */
const MOST_READ = 4;

interface AuditSetup {
  builders: readonly CommandBuilder[];
  draw: DrawContext;
  /** Conditions that are no longer drawn. */
  avoided: ReadonlySet<string>;
  longestWaitMs: number;
  /** Changes of resources that the sequence has sent. */
  changes: readonly Command[];
  /** A request about the open call of the task. */
  drawReply: (task: Resource) => Command | undefined;
}

/**
 * The final steps of a sequence. Each part is drawn from the resources that exist at that point: first every list and read, then
 * the removal of all resources (some defects show only in a removal), then the lists again.
 */
export function* audit(setup: AuditSetup): Generator<SequenceStep, undefined> {
  const { builders, draw, longestWaitMs } = setup;
  const createListReads = (): SequenceStep[] => {
    const kinds = new Set(draw.resources.map(({ kind }) => kind));
    return createReads(setup, ({ operation }) => [...kinds].some((kind) => isListOperation(operation, kind)));
  };
  if (builders.some(({ operation }) => operation === 'sendTaskEvent')) yield* createPageReads(draw);
  yield* createReplies(setup);
  yield* createResultWaits(draw, longestWaitMs);
  const before = new Set(draw.resources.map(({ kind }) => kind));
  yield* createReads(setup).flatMap((step) => [step, ...createForeignReads(step, draw)]);
  // Resources that these reads revealed, for example attachments.
  yield* createReads(setup, ({ of }) => of !== undefined && !before.has(of));
  const removals = createRemovalSteps(setup);
  const middle = draw.random.int(0, removals.length);
  yield* removals.slice(0, middle);
  if (middle > 0 && middle < removals.length) yield* createListReads();
  yield* removals.slice(middle);
  if (removals.length > 0) yield* createListReads();
  yield* createRepeats(setup);
}

/** A change and a read of what has ended or is removed, and the lists again. */
function* createRepeats(setup: AuditSetup): Generator<SequenceStep, undefined> {
  const { draw, changes } = setup;
  if (!draw.drawBoolean(0.5)) return;
  const change = pickChange(changes, draw);
  if (change) yield change;
  const gone = draw.resources.filter((resource) => !isPresent(resource));
  const about = draw.resources.find(({ label }) => label === change?.on) ?? gone.at(0);
  if (!about) return;
  const reads = createReads(setup, ({ of }) => of === about.kind).filter(({ on }) => on === about.label);
  if (reads.length > 0) yield draw.pick(reads);
  yield* createReads(setup, ({ operation }) => isListOperation(operation, about.kind)).slice(0, 1);
}

/** Replies to calls that no earlier poll showed: what a task makes of a reply shows in the reads that follow. */
function* createReplies({ draw, drawReply, longestWaitMs }: AuditSetup): Generator<SequenceStep, undefined> {
  const waiting = draw.resources.filter(
    (each) => each.task?.tools && ['one-shot', 'waiting'].includes(each.state),
  );
  if (waiting.length === 0) return;
  yield { wait_ms: Math.min(CALL_MS, longestWaitMs) };
  for (const task of waiting) {
    yield createCommand('getTask', task, task.key);
    const reply = task.state === 'waiting' ? drawReply(task) : undefined;
    if (reply) yield reply;
  }
}

/** Each session that navigated evaluates its own address. */
function createPageReads({ resources, key }: DrawContext): SequenceStep[] {
  return resources
    .filter(({ state, task }) => state === 'session' && task?.sent.some(({ url }) => url !== undefined))
    .map((session) =>
      createCommand('sendTaskEvent', session, key, {
        body: {
          name: 'browser_action',
          id: `{{word.page${session.label.replace(/\D/g, '')}}}`,
          timestamp: '{{now.ms}}',
          payload: { name: 'evaluate_js', input: { js: ADDRESS } },
        },
      }),
    );
}

/** Time for the results of actions, and for tasks to run. Again, as long as polls show results and others are missing. */
function* createResultWaits(draw: DrawContext, longestWaitMs: number): Generator<SequenceStep, undefined> {
  const awaited = draw.resources.filter((resource) => resource.kind === 'task' && isActive(resource));
  if (awaited.length === 0 || longestWaitMs < LONGEST_ACTION_MS) return;
  const isLong = draw.random.next() >= 0.5 && longestWaitMs >= LONG_MS;
  yield { wait_ms: isLong ? LONG_MS : LONGEST_ACTION_MS };
  if (isLong) yield* awaited.filter(({ task }) => task!.times > 0).map(pollFromFirst);
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const pending = draw.resources.filter((each) => each.state === 'session' && countPending(each) > 0);
    yield* pending.map((session) => createCommand('getTask', session, session.key));
    const isSlow = pending.some((session) => isActive(session) && countPending(session) > 0);
    if (!isSlow) return;
    yield { wait_ms: LONGEST_ACTION_MS };
  }
}

function countPending({ task }: Resource): number {
  return task?.sent.filter(({ isDone }) => !isDone).length ?? 0;
}

/** Polls from the first event on: every event seen so far has to be listed again. */
function pollFromFirst(task: Resource): Command {
  const query = { event_t: formatReference(task, 'event_1') };
  return createCommand('getTask', task, task.key, { query, condition: 'with event_t' });
}

function isActive(resource: Resource): boolean {
  return isPresent(resource) && resource.state !== 'over';
}

/** Reads every resource by every list and read operation, also with an optional parameter. */
function createReads(
  { builders, draw, avoided }: AuditSetup,
  only: (builder: CommandBuilder) => boolean = () => true,
): Command[] {
  const { resources, key } = draw;
  const kinds = [...new Set(resources.map(({ kind }) => kind))];
  const steps: Command[] = [];
  for (const builder of builders) {
    const { operation, of, plain, topics } = builder;
    if (
      operations[operation].method !== 'GET' ||
      !only(builder) ||
      steps.some((step) => step.operation === operation)
    )
      continue;
    const isAbout = of
      ? kinds.includes(of)
      : kinds.some((kind) => isListOperation(operation, kind)) || topics.includes('account');
    if (!isAbout) continue;
    const about = of ? resources.filter((resource) => resource.kind === of).slice(0, MOST_READ) : [undefined];
    for (const resource of about) {
      const own = resource && plain && drawFields(plain, draw, resource);
      if (plain && !own) continue;
      const step = createCommand(operation, resource, resource?.key ?? key, own);
      const more = draw.drawBoolean(0.5) ? addOptional(builder, draw, resource, step) : undefined;
      const isAsked = more && !avoided.has(`${operation} ${more.condition}`);
      steps.push(...(isAsked ? shuffle([step, more], draw.random) : [step]));
    }
    // Other organisations have their own lists.
    const others = of
      ? []
      : resources.filter((resource) => resource.key !== key && isListOperation(operation, resource.kind));
    for (const other of new Set(others.map((resource) => resource.key)))
      steps.push(createCommand(operation, undefined, other));
  }
  return steps;
}

function addOptional(
  { optional = {} }: CommandBuilder,
  draw: DrawContext,
  resource: Resource | undefined,
  step: Command,
): Command | undefined {
  const names = Object.keys(optional);
  if (names.length === 0) return undefined;
  const name = draw.pick(names);
  const value = optional[name]!(draw, resource as Resource);
  if (value === undefined) return undefined;
  return { ...step, query: { ...step.query, [name]: value }, condition: `with ${name}` };
}

/** Removals in random order, each by a random removing operation. Sometimes another organisation tries first. */
function createRemovalSteps({ builders, draw }: AuditSetup): SequenceStep[] {
  // In half of the sequences tasks are removed before the files and profiles that they use.
  const isInOrder = draw.drawBoolean(0.5);
  const removals = draw.resources.flatMap((resource): Command[][] => {
    const { kind, key } = resource;
    const removing = builders.filter(
      ({ operation, of, states }) =>
        of === kind &&
        operations[operation].method === 'DELETE' &&
        (states?.includes(resource.state) ?? isActive(resource)),
    );
    if (removing.length === 0 || (resource.state === 'over' && draw.drawBoolean(0.5))) return [];
    const { operation, plain } = draw.pick(removing);
    const fields = plain && drawFields(plain, draw, resource);
    const removal = createCommand(operation, resource, key, fields);
    const isTried = draw.hasStranger && key === 'main' && draw.drawBoolean(0.3);
    const condition = 'key of another organisation';
    return [isTried ? [{ ...removal, key: 'other', astray: 'stranger', condition }, removal] : [removal]];
  });
  const mixed = shuffle(removals, draw.random);
  const ordered = isInOrder
    ? mixed.toSorted((a, b) => Number(isTaskRemoval(b)) - Number(isTaskRemoval(a)))
    : mixed;
  return groupRemovals(ordered.flat(), draw);
}

function isTaskRemoval([first]: readonly Command[]): boolean {
  return first?.operation === 'deleteTask';
}

/** Sometimes two consecutive removals of the same kind are sent concurrently. */
function groupRemovals(removals: readonly Command[], draw: DrawContext): SequenceStep[] {
  const steps: SequenceStep[] = [];
  for (const removal of removals) {
    const last = steps.at(-1);
    const isAlike =
      last && 'operation' in last && last.operation === removal.operation && last.on !== removal.on;
    if (isAlike && draw.drawBoolean(0.4)) steps.splice(-1, 1, { together: [last, removal] });
    else steps.push(removal);
  }
  return steps;
}

function shuffle<T>(items: readonly T[], random: Random): T[] {
  const ranks = new Map(items.map((item) => [item, random.next()]));
  return items.toSorted((a, b) => ranks.get(a)! - ranks.get(b)!);
}

/** Sometimes another organisation, or a request without a key, sends the same read. */
function createForeignReads(read: Command, draw: DrawContext): Command[] {
  const reads: Command[] = [];
  if (operations[read.operation].auth === 'none') return reads;
  if (draw.drawBoolean(0.15))
    reads.push({ ...read, key: null, invalid: 'AUTH-05', condition: 'without a key' });
  if (draw.hasStranger && (read.key ?? 'main') === 'main' && draw.drawBoolean(0.1))
    reads.push({ ...read, key: 'other', astray: 'stranger', condition: 'key of another organisation' });
  return reads;
}
