import type { Random } from '../../../../mock/generate/random.js';
import { type OperationId, operations } from '../../../../spec/generated/operations.js';
import { LONGEST_ACTION_MS } from '../../operations/collect-facts.js';
import type { Command } from '../../operations/command.js';
import { commandBuilders } from '../../operations/definitions.js';
import { isImpossible } from '../../operations/events.js';
import { isPresent, type Resource } from '../../operations/observed.js';
import { TOPICS, type Topic } from '../../operations/operation.js';
import type { StepSource } from '../play.js';
import { createCommand, isWait, listCommands, type SequenceStep } from '../sequence/sequence.js';
import { audit } from './audit.js';
import { CommandDrawer, type DrawSettings, isRead } from './command-drawer.js';
import { type CommandCoverage, type DrawContext, pickWeighted } from './draw.js';
import { omitParameter, pickChange, recreateResource, renewEventId, repeat } from './repeat.js';

/** Number of requests in one sequence. */
const LENGTH = { least: 8, most: 27 };
/** Waits, ms, long enough for agents to act. The last outlasts a browser of the deprecated endpoint. */
const WAITS = [200, 600, 1500, 4000, 61_000, 301_000];
/** Share of actions that begin a long log, after the first logs. */
const LOGS = 0.5;
/** Share of requests about a task with tools after which the sequence waits for a call or replies to it. */
const CONTINUED = 0.7;
/** An agent needs its first tool within this time, ms, or is not waited for. */
const LONGEST_CALL_MS = 4000;
/** Requests of one kind in a row. */
const MOST_IN_ROW = 7;
/** Share of new sessions that get actions of many kinds in a row. */
const SERIES = 0.5;
/** Share of requests, of any topic, that are drawn for uncovered pairs of operations. */
const DIRECTED = 0.2;
/** Requests for uncovered pairs at the end of a sequence, at most; more in the few that may change the account: they come last. */
const MOST_AT_END = { account: 50, others: 6 };
/** A longer wait, ms, is recorded in the history of each resource. */
const LONG_WAIT_MS = 60_000;

/** Relative number of sequences per topic (default 1): larger topics get more. */
const SHARES: Readonly<Partial<Record<Topic, number>>> = {
  sessions: 3.5,
  tools: 3.5,
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
  const weights = others.map((topic) => 1 + pairs.countNewPairs(listOperations([first, topic])) ** 2);
  const more = Array.from({ length: isAlone ? 2 : 1 }, () => others[pickWeighted(random, weights)]!);
  return [...new Set<Topic>([first, ...more])];
}

function listOperations(topics: readonly Topic[]): Set<OperationId> {
  const own = commandBuilders.filter((builder) => builder.topics.some((topic) => topics.includes(topic)));
  return new Set(own.map(({ operation }) => operation));
}

/** Draws the steps of a sequence one by one, each from the resources that the steps before created. */
export function drawSteps(drawing: DrawSettings, random: Random, topics: readonly Topic[]): StepSource {
  const sequence = new SequenceDrawer(drawing, random, topics);
  return (resources, last) => {
    sequence.draw.resources = resources;
    for (const { kind } of resources) drawing.coverage.kinds.add(kind);
    return sequence.next(last);
  };
}

/** Requests of one operation in a row. */
interface Row {
  operation: OperationId;
  left: number;
  isLog?: true;
}

class SequenceDrawer {
  readonly draw: DrawContext;
  readonly #drawer: CommandDrawer;
  #left: number;
  #leftAtEnd: number;
  #end: ReturnType<typeof audit> | undefined;
  /** The operation that is sent again and again, and how often. */
  #many: Row | undefined;
  readonly #made = new Map<string, Command>();
  /** Changes of resources, to repeat in other states. */
  readonly #changes: Command[] = [];
  #queue: SequenceStep[] = [];

  constructor(
    private readonly drawing: DrawSettings,
    private readonly random: Random,
    topics: readonly Topic[],
  ) {
    this.#drawer = new CommandDrawer(drawing, random, topics);
    this.draw = this.#drawer.draw;
    this.#left = random.int(LENGTH.least, LENGTH.most);
    this.#leftAtEnd = MOST_AT_END[topics.includes('account') ? 'account' : 'others'];
  }

  next(last: SequenceStep | undefined): SequenceStep | undefined {
    const commands = last ? listCommands(last) : [];
    if (last) recordStep(this.draw, last);
    if (!this.#end && this.#left-- > 0) {
      for (const command of commands) {
        if (command.as !== undefined) this.#made.set(command.as, command);
        else if (isValidChange(command)) this.#changes.push(command);
      }
      const [before] = commands;
      this.draw.focus = before?.on ?? before?.as ?? this.draw.focus;
      return this.#queue.shift() ?? this.#drawStep(before, commands.length > 1);
    }
    const directed = !this.#end && this.#leftAtEnd-- > 0 ? this.#drawer.drawUncovered(true) : undefined;
    return directed ?? this.#drawEnd();
  }

  #drawEnd(): SequenceStep | undefined {
    const { own: builders, draw } = this.#drawer;
    const { avoided, longestWaitMs } = this.drawing;
    const drawReply = (task: Resource) => this.#drawer.drawReply(task);
    this.#end ??= audit({ builders, draw, avoided, changes: this.#changes, longestWaitMs, drawReply });
    return this.#end.next().value;
  }

  /** `before`: the last request, or the first of the concurrent ones. */
  #drawStep(before: Command | undefined, wasTogether: boolean): SequenceStep | undefined {
    const { random, draw } = this;
    const drawer = this.#drawer;
    const roll = random.next();
    if (this.#many) return this.#drawOneOfMany(this.#many, before);
    const next = before && !wasTogether ? this.#continueCalls(before) : undefined;
    if (next) return next;
    this.#beginMany(before, wasTogether, roll);
    const wait = this.#drawWait(before, wasTogether, roll);
    if (wait) return wait;
    if (before && !wasTogether && random.next() < 0.2) {
      const recreated = this.#recreate(before);
      if (recreated) return recreated;
    }
    // What was refused must not have happened, nor hinder what is valid.
    const isRefused = before?.on !== undefined && (before.astray ?? before.invalid) !== undefined;
    const valid = isRefused && random.next() < 0.3 ? pickChange(this.#changes, draw) : undefined;
    if (valid) return valid;
    if (roll < 0.22 && before && !wasTogether)
      return (roll < 0.17 ? omitParameter(before, draw) : undefined) ?? repeat(before, draw);
    const directed = random.next() < DIRECTED ? drawer.drawUncovered() : undefined;
    if (directed) return directed;
    const together = roll < 0.36 ? drawer.drawTogether() : undefined;
    if (together) return together;
    const isChange = before && operations[before.operation].method !== 'GET';
    return (isChange && random.next() < 0.4 ? drawer.drawOne(isRead) : undefined) ?? drawer.drawOne();
  }

  /** By chance alone, few polls show a call, and few calls get a reply: waits for the call of a task with tools, and replies to it. */
  #continueCalls({ as, on = as }: Command): SequenceStep | undefined {
    const resource = this.draw.resources.find(({ label }) => label === on);
    const { state, task } = resource ?? {};
    if (!resource || !task?.tools || this.random.next() >= CONTINUED) return undefined;
    if (isPresent(resource) && task.calls.some(({ repliedBy }) => !repliedBy))
      return this.#drawer.drawReply(resource);
    if (state !== 'one-shot') return undefined;
    this.#queue = [createCommand('getTask', resource, resource.key)];
    return {
      wait_ms: this.random.pick(
        WAITS.filter((ms) => ms <= Math.min(LONGEST_CALL_MS, this.drawing.longestWaitMs)),
      ),
    };
  }

  /** Lists may be paginated: creates many resources of one kind in a row, or sends many actions. */
  #beginMany(before: Command | undefined, wasTogether: boolean, roll: number): void {
    if (!before) return;
    const { operation } = before;
    const isCreation = before.as !== undefined || operation === 'sendTaskEvent';
    if (roll > 0.96 && !wasTogether && isCreation) this.#many = { operation, left: MOST_IN_ROW };
    const isOpen = this.draw.resources.some(
      ({ label, state }) => label === (before.as ?? before.on) && state === 'session',
    );
    if (isOpen && operation === 'createTask' && this.random.next() < SERIES)
      this.#many = { operation: 'sendTaskEvent', left: MOST_IN_ROW };
    const { logs } = this.drawing.coverage;
    const isFirstLog = logs.whole < FIRST_LOGS.length && logs.begun < MOST_FIRST_LOGS;
    if (isOpen && isPlainAction(before) && (isFirstLog || this.random.next() < LOGS))
      this.#beginLog(operation, isFirstLog ? FIRST_LOGS[logs.whole]! : OTHER_LOG);
  }

  #beginLog(operation: OperationId, left: number): void {
    this.drawing.coverage.logs.begun++;
    this.#many = { operation, left, isLog: true };
  }

  #drawOneOfMany(many: Row, before: Command | undefined): Command | undefined {
    const isLog = many.left > MOST_IN_ROW && before && isPlainAction(before);
    if (--many.left <= 0) {
      this.#many = undefined;
      // One that is cut short, as its session ends, comes again.
      if (many.isLog) this.drawing.coverage.logs.whole++;
    }
    if (isLog) {
      this.#left++;
      return renewEventId(before, this.draw);
    }
    const isSame = this.#drawer.drawOne(
      ({ operation, makes }) => operation === many.operation && makes !== 'task',
    );
    return isSame ?? this.#drawer.drawOne();
  }

  #drawWait(before: Command | undefined, wasTogether: boolean, roll: number): SequenceStep | undefined {
    const { longestWaitMs } = this.drawing;
    const isSlow = before?.operation === 'sendTaskEvent' && wasTogether;
    if (isSlow && roll < 0.4 && longestWaitMs >= LONGEST_ACTION_MS) return { wait_ms: LONGEST_ACTION_MS };
    const isNewTask = before?.operation === 'createTask';
    if (roll >= (isNewTask ? 0.4 : 0.12) || !before) return undefined;
    return { wait_ms: this.random.pick(WAITS.filter((ms) => ms <= longestWaitMs)) };
  }

  /** After a removal. */
  #recreate(before: Command): SequenceStep | undefined {
    const removed = this.draw.resources.find(
      (each) => each.removedBy === before.operation && each.label === before.on,
    );
    if (!removed) return undefined;
    this.#queue = recreateResource(before, removed, this.#made, this.draw, this.#drawer.mayStartTask);
    if (this.#queue.some((step) => 'operation' in step && step.operation === 'createTask'))
      this.#drawer.addTask();
    return this.#queue.shift();
  }
}

/** Numbers of actions in a row for the first logs of a search, since a service may read its events in pages, and for the others. */
const FIRST_LOGS = [30, 1010, 110];
const OTHER_LOG = 30;
/** Logs are begun so often for these numbers: a service may end each session before its log does. */
const MOST_FIRST_LOGS = 6;

/** An action that a session performs again and again. Not a script: a thousand of them take longer than all other sequences. */
function isPlainAction({ operation, body, open, astray, invalid, condition }: Command): boolean {
  if (operation !== 'sendTaskEvent') return false;
  const text = JSON.stringify(body);
  return (
    text.includes('browser_action') &&
    !text.includes('evaluate_js') &&
    text.includes('{{word.event') &&
    ![open, astray, invalid].some(Boolean) &&
    !isImpossible({ condition })
  );
}

function isValidChange({ operation, on, astray, invalid }: Command): boolean {
  return operations[operation].method !== 'GET' && on !== undefined && !astray && !invalid;
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
