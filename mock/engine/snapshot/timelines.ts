import type { Scenario, Step } from '../../../scenarios/format/types.js';
import * as s from '../../../spec/json-schema/build-schema.js';
import { createInvalidValue } from '../../../spec/json-schema/violations.js';
import type { QueuedScenario } from '../organisation.js';
import { markHappened, nameEvent, type Run, startRun, type Task } from '../tasks/task.js';
import type { OrganisationSnapshot } from './snapshot.js';

export const stepSchema: s.SchemaOf<Step> = {
  type: 'object',
  'x-expected': 'a step with service, client or network',
  anyOf: ['service', 'client', 'network'].map((actor) => ({ required: [actor] })),
};

export const scenarioSchema = s.fields({
  name: s.text,
  title: s.text,
  description: s.optional(s.text),
  covers: s.list(s.text),
  match: s.object,
  request: s.object,
  timeline: s.list(stepSchema),
}) as s.SchemaOf<unknown> as s.SchemaOf<Scenario>;

export const queuedSchema: s.SchemaOf<QueuedScenario> = {
  anyOf: [s.text, scenarioSchema],
  'x-expected': 'the name of a scenario, or a scenario',
};

type RunSnapshot = s.ValueOf<typeof runSchema>;
export const runSchema = s.fields({
  /** Index into the snapshot's `timelines`; runs of the same scenario share one. */
  timeline: s.optional(s.count),
  steps: s.optional(s.list(stepSchema)),
  cursor: s.count,
  since: s.instant,
  polls: s.count,
  ids: s.entries(s.text),
  happened: s.list(s.text),
  side: s.list(s.fields({ index: s.count, since: s.instant, polls: s.count })),
  action: s.optional(s.text),
});

/** Serializes and deserializes runs. The steps of a scenario are stored once in `all`, however many tasks use them. */
export class Timelines {
  readonly #indexes = new Map<readonly Step[], number>();

  constructor(
    readonly tasks: ReadonlyMap<string, Task>,
    readonly all: (readonly Step[])[] = [],
  ) {}

  packTaskRuns({ runs, scenario }: Task): RunSnapshot[] {
    return runs.map((run, index) => this.#pack(run, index === 0 && scenario !== null));
  }

  /** Null for the task's own run. */
  pack(task: Task, run: Run): RunSnapshot | null {
    return task.runs[0] === run ? null : this.#pack(run, task.scenario !== null);
  }

  unpack(task: Task, run: RunSnapshot | null): Run | undefined {
    return run === null ? task.runs[0] : this.unpackRun(run);
  }

  unpackRun({ timeline, steps, cursor, since, polls, action, ids, happened, side }: RunSnapshot): Run {
    const run = startRun(timeline === undefined ? steps! : this.all[timeline]!, since, polls, action);
    run.cursor = cursor;
    for (const [step, event] of ids) nameEvent(run, step, event);
    for (const id of happened) markHappened(run, id);
    run.side.push(...side);
    return run;
  }

  #pack(run: Run, isScripted: boolean): RunSnapshot {
    const { steps, ids, happened, side, due: _plannedAgain, ...kept } = run;
    return {
      ...(isScripted ? { timeline: this.#assignIndex(steps) } : { steps: [...steps] }),
      ...kept,
      ids: Object.entries(ids),
      happened: [...happened],
      side: side.map(({ index, since, polls }) => ({ index, since, polls })),
    };
  }

  #assignIndex(steps: readonly Step[]): number {
    let index = this.#indexes.get(steps);
    if (index === undefined) {
      index = this.all.push(steps) - 1;
      this.#indexes.set(steps, index);
    }
    return index;
  }
}

/**
 * Checks that all references resolve within the snapshot. `at`: the path of the snapshot, followed by a dot.
 * Throws InvalidValue.
 */
export function checkReferences(state: OrganisationSnapshot, at: string): void {
  const { timelines, tasks, network, finished, pending } = state;
  const ids = new Set<string>();
  for (const [index, task] of tasks.entries()) {
    const place = `${at}tasks[${index}]`;
    if (ids.has(task.id)) throw createInvalidValue(`${place}.id`, 'a unique id', task.id);
    ids.add(task.id);
    for (const [position, run] of task.runs.entries()) checkRun(run, `${place}.runs[${position}]`);
  }
  for (const list of ['rules', 'tally'] as const)
    for (const [index, { run }] of network[list].entries())
      if (run) checkRun(run, `${at}network.${list}[${index}].run`);
  for (const [index, id] of finished.entries()) checkTask(id, `finished[${index}]`);
  for (const [index, { task }] of pending.entries()) checkTask(task, `pending[${index}].task`);

  function checkTask(id: string, place: string): void {
    if (!ids.has(id)) throw createInvalidValue(at + place, 'the id of a task in the snapshot', id);
  }

  function checkRun({ timeline, steps: own, cursor, side }: RunSnapshot, place: string): void {
    const steps = timeline === undefined ? own : timelines[timeline];
    if (!steps) throw createInvalidValue(place, 'steps, or the index of a timeline', timeline);
    if (cursor > steps.length) throw createInvalidValue(`${place}.cursor`, `at most ${steps.length}`, cursor);
    for (const { index } of side)
      if (index >= steps.length)
        throw createInvalidValue(`${place}.side`, `steps below ${steps.length}`, index);
  }
}
