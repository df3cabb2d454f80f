import type { Random } from '../../../../mock/generate/random.js';
import { type OperationId, operations } from '../../../../spec/generated/operations.js';
import type { Command } from '../../operations/command.js';
import {
  type CommandBuilder,
  commandBuilders,
  isEnding,
  listNeededKinds,
} from '../../operations/definitions.js';
import { isPresent, type Resource } from '../../operations/observed.js';
import type { Topic } from '../../operations/operation.js';
import type { ResourceName } from '../../operations/resources.js';
import type { Allowance, KeyName } from '../../test-case/test-case.js';
import { type SequenceStep, TASKS_OF_SEQUENCE } from '../sequence/sequence.js';
import { type CommandCoverage, DrawContext, pickWeighted } from './draw.js';
import { drawCommand } from './draw-command.js';
import { repeatAtOnce } from './repeat.js';

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
/**
 * Factors by which an operation is more likely that has followed none of the earlier ones in any sequence. The half of the sequences
 * without one stay with their topics.
 */
const NEW_PAIR = [0, 30];
/** The same if a resource is in a state in which the operation was never sent. */
const NEW_STATE = 3;
/** A state in which an operation was never sent counts as much as so many uncovered pairs of operations. */
const NEW_STATE_RANK = 10;
/** Lists that may be read in vain before a kind of resource counts as missing in the service. */
const MOST_IN_VAIN = 20;
/** Resources that are made for one request, at most: a message with a file, then the list that shows the file. */
const MOST_MADE = 3;

export interface DrawSettings {
  coverage: CommandCoverage;
  forms: ReadonlyMap<OperationId, number>;
  /** Operations and conditions that are no longer drawn. */
  avoided: ReadonlySet<string>;
  /** Operations for which a limit of the account leaves no room. Only the sequences that change the account may draw them. */
  usedUp: ReadonlySet<string>;
  allow: readonly Allowance[];
  keys: readonly KeyName[];
  longestWaitMs: number;
}

type Filter = (builder: CommandBuilder) => boolean;

/** Draws the requests of one sequence. */
export class CommandDrawer {
  /** What requests about the topics of the sequence are built with. */
  readonly own: readonly CommandBuilder[];
  readonly draw: DrawContext;
  readonly #all: readonly CommandBuilder[];
  /** Those for which the sequence can have what they need. */
  readonly #possible: ReadonlySet<OperationId>;
  readonly #priorities: ReadonlyMap<CommandBuilder, number>;
  readonly #sent = new Map<CommandBuilder, number>();
  readonly #newPair: number;
  #tasks = 0;

  constructor(
    private readonly drawing: DrawSettings,
    private readonly random: Random,
    topics: readonly Topic[],
  ) {
    const { allow, avoided, usedUp, keys, forms, coverage } = drawing;
    // Settings of the account are changed in sequences that run alone.
    const isAlone = topics.includes('account');
    this.#all = commandBuilders.filter(
      (builder) =>
        (isAlone || builder.topics.some((topic) => topic !== 'account')) &&
        (builder.drawAllow === undefined || allow.includes(builder.drawAllow)) &&
        !avoided.has(builder.operation) &&
        (isAlone || !usedUp.has(builder.operation)),
    );
    this.#possible = new Set(this.#listPossible());
    this.own = this.#all.filter((builder) => builder.topics.some((topic) => topics.includes(topic)));
    const key =
      isAlone || random.next() < 0.85 ? 'main' : random.pick(keys.filter((name) => name !== 'other'));
    this.#priorities = new Map(this.#all.map((builder) => [builder, random.pick(listPriorities(builder))]));
    this.#newPair = random.pick(NEW_PAIR);
    this.draw = new DrawContext(random, [], key, keys.includes('other'), forms, coverage);
  }

  #listPossible(): OperationId[] {
    const { kinds, operations } = this.drawing.coverage;
    const listMade = ({ operation, makes, finds = [] }: CommandBuilder) => [
      ...(makes ? [makes] : []),
      ...finds.filter((kind) => kinds.has(kind) || operations.countSent(operation) < MOST_IN_VAIN),
    ];
    const made = new Set(this.#all.flatMap(listMade));
    const possible = this.#all.filter((builder) => listNeededKinds(builder).every((kind) => made.has(kind)));
    return possible.map(({ operation }) => operation);
  }

  get mayStartTask(): boolean {
    return this.#tasks < MOST_TASKS;
  }

  /** Counts a task that another part of the sequence creates. */
  addTask(): void {
    this.#tasks++;
  }

  /** A request about the topics of the sequence. */
  drawOne(isMeant: Filter = () => true): Command | undefined {
    const candidates = this.own.filter(
      (builder) => isMeant(builder) && (builder.makes !== 'task' || this.mayStartTask),
    );
    if (candidates.length === 0) return undefined;
    const weights = candidates.map((builder) => this.#computeWeight(builder));
    for (let tries = 0; tries < 8; tries++) {
      const command = this.#draw(candidates[pickWeighted(this.random, weights)]!);
      if (command) return command;
    }
    return undefined;
  }

  /** A request about the open call of the task: mostly a reply. */
  drawReply({ label, state }: Resource): Command | undefined {
    const candidates = this.#all.filter(({ states }) => states?.includes('waiting'));
    const index = pickWeighted(
      this.random,
      candidates.map(({ weight = 1 }) => weight),
    );
    this.draw.focus = label;
    return candidates.length === 0 ? undefined : this.#draw({ ...candidates[index]!, states: [state] });
  }

  /**
   * A request of any topic that follows operations of the sequence which it has followed in no other, or that meets a resource in a
   * state in which it was never sent. If what it needs does not exist, a request that makes it. Undefined if there is none.
   */
  drawUncovered(isEnd = false): Command | undefined {
    const { sent, coverage, resources } = this.draw;
    const { operations: pairs } = coverage;
    const ranked: { builder: CommandBuilder; isNew: boolean; rank: number }[] = [];
    for (const builder of this.#all) {
      const { operation, of } = builder;
      // At the end also what others are to follow: by then few pairs are left, and few sequences contain their first half.
      const later = isEnd && !sent.has(operation) ? pairs.countNewAfter(operation, this.#possible) * 0.5 : 0;
      const count = this.#possible.has(operation) ? pairs.countNew(operation, sent) + later : 0;
      const isNew = resources.some((each) => each.kind === of && this.draw.isInNewState(operation, each));
      const rank = count + (isNew ? NEW_STATE_RANK : 0);
      if (rank > 0) ranked.push({ builder, isNew, rank: rank * (0.5 + this.random.next()) });
    }
    ranked.sort((a, b) => b.rank - a.rank);
    for (const { builder, isNew } of ranked.slice(0, 8)) {
      const possible = isNew ? builder : this.#findPossible(builder);
      const command = possible && this.#draw(possible);
      if (command) return command;
    }
    return undefined;
  }

  /** The builder, or one that makes a resource it needs; undefined if that is not possible now. */
  #findPossible(builder: CommandBuilder, depth = 0): CommandBuilder | undefined {
    const missing = listNeededKinds(builder).find((kind) => !this.#hasResource(kind, builder));
    if (missing === undefined) {
      const startsTask = builder.makes === 'task' || builder.makes === 'chat';
      return startsTask && this.#tasks >= TASKS_OF_SEQUENCE - 1 ? undefined : builder;
    }
    if (depth === MOST_MADE) return undefined;
    const isThere = this.draw.resources.some((each) => each.kind === missing && isPresent(each));
    const makers = this.#all.filter(({ makes, finds, of, operation }) => {
      // What is there is in another state.
      if (isThere) return of === missing && isEnding(operation);
      // A list of what no sequence has had yet is read once in each.
      const mayBeThere = this.drawing.coverage.kinds.has(missing) || !this.draw.sent.has(operation);
      const mayFind = finds?.includes(missing) && mayBeThere;
      return (makes === missing || mayFind) && of !== missing;
    });
    return makers.length === 0 ? undefined : this.#findPossible(this.draw.pick(makers), depth + 1);
  }

  #hasResource(kind: ResourceName, { of, states }: CommandBuilder): boolean {
    return this.draw.resources.some(
      (each) =>
        each.kind === kind && isPresent(each) && (kind !== of || !states || states.includes(each.state)),
    );
  }

  #draw(builder: CommandBuilder): Command | undefined {
    const command = drawCommand(builder, this.draw);
    if (!command || this.drawing.avoided.has(`${command.operation} ${command.condition}`)) return undefined;
    this.#sent.set(builder, (this.#sent.get(builder) ?? 0) + 1);
    if (builder.makes === 'task' || builder.makes === 'chat') this.#tasks++;
    return command;
  }

  #computeWeight(builder: CommandBuilder): number {
    const { makes, finds = [], weight = 1, operation } = builder;
    const kinds = makes ? [makes] : finds;
    const there = this.draw.resources.filter((each) => kinds.includes(each.kind) && isPresent(each)).length;
    const missing = kinds.length === 0 ? 1 : there === 0 ? 4 : there === 1 ? 1.5 : 1;
    // Reads follow changes, and the audit reads everything at the end.
    const share = isRead(builder) && operation !== 'getTask' ? 0.5 : 1;
    const novelty = this.#computeNovelty(builder, this.#priorities.get(builder)!);
    return (weight * share * missing * novelty) / (1 + (this.#sent.get(builder) ?? 0)) ** 0.3;
  }

  #computeNovelty(builder: CommandBuilder, priority: number): number {
    const isNew = this.draw.resources.some(
      (each) => each.kind === builder.of && this.draw.isInNewState(builder.operation, each),
    );
    const share = this.#newPair === 0 ? 0 : this.#computeNewShare(builder);
    return (priority + this.#newPair * share) * (isNew ? NEW_STATE : 1);
  }

  #computeNewShare(builder: CommandBuilder): number {
    const { makes, finds = [] } = builder;
    const { resources, coverage, sent } = this.draw;
    const missing = (makes ? [makes] : finds).filter(
      (kind) => !resources.some((each) => each.kind === kind && isPresent(each)),
    );
    // What needs the missing resource, too.
    const waiting = this.own.filter((each) => each.of !== undefined && missing.includes(each.of));
    const shares = [builder, ...waiting].map((each) =>
      coverage.operations.computeNewShare(each.operation, sent),
    );
    return Math.max(...shares);
  }

  /** Two or three concurrent requests, half the time about the same resource. */
  drawTogether(): SequenceStep | undefined {
    const { draw, random } = this;
    const first = this.drawOne();
    if (!first) return undefined;
    draw.focus = (random.next() < 0.5 ? this.#findOther(first.on) : undefined) ?? first.on;
    const together = [first];
    const most = random.int(2, first.operation === 'sendTaskEvent' ? 4 : 3);
    while (together.length < most) {
      const roll = random.next();
      const isAlike: Filter = ({ operation }) => operation === first.operation;
      const next =
        roll < 0.25
          ? repeatAtOnce(first, together.length)
          : ((roll < 0.65 ? this.drawOne(isAlike) : undefined) ?? this.drawOne());
      if (!next) break;
      together.push(next);
    }
    return together.length < 2 ? first : { together };
  }

  /** Another resource of the same kind: concurrent requests about two of them may be mixed up. */
  #findOther(label: string | undefined): string | undefined {
    const kind = this.draw.resources.find((each) => each.label === label)?.kind;
    return kind && this.draw.pickResource(kind, (each) => isPresent(each) && each.label !== label)?.label;
  }
}

function listPriorities({ makes, weight = 1 }: CommandBuilder): readonly number[] {
  if (makes) return CREATION_PRIORITIES;
  return weight < MAIN_WEIGHT ? PRIORITIES : PRIORITIES.filter((each) => each >= 1);
}

export function isRead({ operation }: CommandBuilder): boolean {
  return operations[operation].method === 'GET';
}
