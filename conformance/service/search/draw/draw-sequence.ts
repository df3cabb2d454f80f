import type { Random } from '../../../../mock/generate/random.js';
import { type OperationId, operations } from '../../../../spec/generated/operations.js';
import type { Allowance, KeyName } from '../../test-case/test-case.js';
import { LONGEST_ACTION_MS } from '../judge/task-facts.js';
import type { NextStep } from '../play/play.js';
import { type Command, commandsOf, isWait, type Step } from '../sequence/sequence.js';
import { isThere, type Thing } from '../sequence/things.js';
import { liveAgain, repeat, repeatAt, withoutOne } from './again.js';
import { audit } from './audit.js';
import { type Coverage, Draw, FAMILIES, type Family, type Row, weighted } from './draw.js';
import { drawCommand } from './draw-command.js';

/** Requests of one sequence. */
const LENGTH = { least: 8, most: 30 };
/** Tasks and sessions that one sequence creates, at most. */
const MOST_TASKS = 4;
/** How often a kind of request comes in one sequence: some are left out nearly, so that the others meet more often. */
const FAVOURS = [0.1, 1, 1, 3];
const MAKING = [1, 1, 2];
/** From this weight on a request is what its family is about: it is in every sequence. */
const MAIN_WEIGHT = 3;
/** Waits, ms: agents take their time. The last outlasts a browser of the deprecated endpoint. */
const WAITS = [200, 600, 1500, 4000, 61_000, 301_000];
/** Beyond this a wait counts as something that was done to each thing, ms. */
const LONG_WAIT_MS = 60_000;

export interface Drawing {
  rows: readonly Row[];
  coverage: Coverage;
  forms: ReadonlyMap<OperationId, number>;
  /** Operations and conditions that are not drawn any more. */
  avoided: ReadonlySet<string>;
  allow: readonly Allowance[];
  keys: readonly KeyName[];
  longestWaitMs: number;
}

/** How many sequences are about a family, beside one about another: what has more to it takes more of them. */
const SHARES: Readonly<Partial<Record<Family, number>>> = {
  sessions: 2.5,
  tools: 2,
  chats: 2,
  uploads: 1.5,
  sops: 0.8,
  browsers: 0.7,
};

/** What one sequence is about: few families, so that its requests meet. */
export function familiesOf(random: Random, isAlone: boolean): Family[] {
  const others = FAMILIES.filter((family) => family !== 'account');
  const first = isAlone
    ? 'account'
    : others[
        weighted(
          random,
          others.map((family) => SHARES[family] ?? 1),
        )
      ]!;
  const second = random.next() < 0.35 ? random.pick(others) : first;
  return [...new Set<Family>([first, second])];
}

/** Draws the steps of a sequence one by one, each from what the steps before have made. */
export function drawSteps(drawing: Drawing, random: Random, families: readonly Family[]): NextStep {
  const { rows, allow, avoided, keys } = drawing;
  const own = rows.filter(
    (row) =>
      row.families.some((family) => families.includes(family)) &&
      (row.allow === undefined || allow.includes(row.allow)) &&
      !avoided.has(row.operation),
  );
  const isAlone = families.includes('account');
  const key = isAlone || random.next() < 0.85 ? 'main' : random.pick(keys.filter((name) => name !== 'other'));
  const sent = new Map<Row, number>();
  const favour = new Map(own.map((row) => [row, random.pick(favoursOf(row))]));
  let left = random.int(LENGTH.least, LENGTH.most);
  let tasks = 0;
  let draw: Draw | undefined;
  let things: readonly Thing[] = [];
  let end: ReturnType<typeof audit> | undefined;
  let many: OperationId | undefined;
  let manyLeft = 0;
  const made = new Map<string, Command>();
  let queue: Step[] = [];

  const drawOne = (only: (row: Row) => boolean = () => true): Command | undefined => {
    const candidates = own.filter((row) => only(row) && (row.makes !== 'task' || tasks < MOST_TASKS));
    if (candidates.length === 0) return undefined;
    const weights = candidates.map((row) => {
      const kind = row.makes ?? row.finds;
      const there = kind ? things.filter((each) => each.kind === kind && isThere(each)).length : 2;
      const missing = there === 0 ? 4 : there === 1 ? 1.5 : 1;
      // Reads come after changes, and at the end.
      const share = reads(row) && row.operation !== 'getTask' ? 0.5 : 1;
      return ((row.weight ?? 1) * share * favour.get(row)! * missing) / (1 + (sent.get(row) ?? 0)) ** 0.3;
    });
    for (let tries = 0; tries < 8; tries++) {
      const row = candidates[weighted(random, weights)]!;
      const command = drawCommand(row, draw!);
      if (!command || avoided.has(`${command.operation} ${command.condition}`)) continue;
      sent.set(row, (sent.get(row) ?? 0) + 1);
      if (row.makes === 'task' || row.makes === 'chat') tasks++;
      return command;
    }
    return undefined;
  };

  return (now, last) => {
    things = now;
    draw ??= new Draw(random, things, key, keys.includes('other'), drawing.forms, drawing.coverage);
    draw.things = things;
    if (last) note(draw, last);
    if (end || left-- <= 0) {
      end ??= audit({ rows: own, draw, avoided, longestWaitMs: drawing.longestWaitMs });
      return end.next().value;
    }
    const [before] = last ? commandsOf(last) : [];
    for (const command of last ? commandsOf(last) : [])
      if (command.as !== undefined) made.set(command.as, command);
    const next = queue.shift();
    if (next) return next;
    draw.focus = before?.on ?? before?.as ?? draw.focus;
    const isChange = before && operations[before.operation].method !== 'GET';
    const roll = random.next();
    // Lists may have pages: many of a kind, one after the other.
    if (many) {
      const same = many;
      if (--manyLeft <= 0) many = undefined;
      return drawOne((row) => row.operation === same && row.makes !== 'task') ?? drawOne();
    }
    if (
      roll > 0.96 &&
      before &&
      !('together' in last!) &&
      (before.as !== undefined || before.operation === 'sendTaskEvent')
    ) {
      many = before.operation;
      manyLeft = 5;
    }
    const isSlow = before?.operation === 'sendTaskEvent' && last && 'together' in last;
    if (isSlow && roll < 0.4 && drawing.longestWaitMs >= LONGEST_ACTION_MS)
      return { wait_ms: LONGEST_ACTION_MS };
    const isNewTask = before?.operation === 'createTask';
    if (roll < (isNewTask ? 0.4 : 0.12) && before)
      return { wait_ms: random.pick(WAITS.filter((ms) => ms <= drawing.longestWaitMs)) };
    const removed =
      before && things.find((each) => each.removedBy === before.operation && each.label === before.on);
    if (removed && !('together' in last!) && random.next() < 0.2) {
      queue = liveAgain(before!, removed, made, draw, tasks < MOST_TASKS);
      if (queue.some((step) => 'operation' in step && step.operation === 'createTask')) tasks++;
      if (queue.length > 0) return queue.shift();
    }
    if (roll < 0.22 && before && !('together' in last!))
      return (roll < 0.17 ? withoutOne(before, draw) : undefined) ?? repeat(before, draw);
    if (roll < 0.36) {
      const together = drawTogether(drawOne, random, draw);
      if (together) return together;
    }
    return (isChange && random.next() < 0.4 ? drawOne(reads) : undefined) ?? drawOne();
  };
}

function favoursOf({ makes, weight = 1 }: Row): readonly number[] {
  if (makes) return MAKING;
  return weight < MAIN_WEIGHT ? FAVOURS : FAVOURS.filter((each) => each >= 1);
}

function reads({ operation }: Row): boolean {
  return operations[operation].method === 'GET';
}

/** Two or three requests at once, half the time about the same thing. */
function drawTogether(
  drawOne: (only?: (row: Row) => boolean) => Command | undefined,
  random: Random,
  draw: Draw,
): Step | undefined {
  const first = drawOne();
  if (!first) return undefined;
  draw.focus = (random.next() < 0.5 ? otherThan(first.on, draw) : undefined) ?? first.on;
  const together = [first];
  const most = random.int(2, 3);
  while (together.length < most) {
    const roll = random.next();
    const isAlike = ({ operation }: Row) => operation === first.operation;
    const next =
      roll < 0.25
        ? repeatAt(first, together.length)
        : ((roll < 0.65 ? drawOne(isAlike) : undefined) ?? drawOne());
    if (!next) break;
    together.push(next);
  }
  return together.length < 2 ? first : { together };
}

/** Another thing of the same kind: what is about two of them at once may get mixed up. */
function otherThan(label: string | undefined, draw: Draw): string | undefined {
  const kind = draw.things.find((each) => each.label === label)?.kind;
  return kind && draw.thing(kind, (each) => isThere(each) && each.label !== label)?.label;
}

function note(draw: Draw, step: Step): void {
  const { things, coverage } = draw;
  if (isWait(step)) {
    if (step.wait_ms > LONG_WAIT_MS) draw.noteWait();
    return;
  }
  const commands = commandsOf(step);
  for (const command of commands) {
    const { operation, on, condition } = command;
    draw.note(command);
    const thing = things.find(({ label }) => label === on);
    coverage.add(operation, thing?.state ?? '-', condition);
    if (commands.length > 1) coverage.add(operation, thing && isThere(thing) ? 'there' : '-', 'at once');
  }
}
