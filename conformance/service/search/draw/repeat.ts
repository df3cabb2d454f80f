import { operations } from '../../../../spec/generated/operations.js';
import type { Command, Template } from '../../operations/command.js';
import { findCreatedKind } from '../../operations/definitions.js';
import type { Resource } from '../../operations/observed.js';
import type { SequenceStep } from '../sequence/sequence.js';
import type { DrawContext } from './draw.js';
import { REFUSED } from './pair-coverage.js';

/** States in which a change may have another effect than before. */
const STATES = ['over', 'gone', REFUSED];

/**
 * Repeats a request; what it creates gets another label. Half of the actions get a new id, so that the session performs them
 * twice.
 */
export function repeat(command: Command, draw: DrawContext): Command {
  const { as, ...same } = command;
  if (command.operation === 'sendTaskEvent' && draw.drawBoolean(0.5)) return renewEventId(same, draw);
  return { ...same, ...(as !== undefined && { as: `${as}_again` }), condition: command.condition };
}

export function renewEventId(command: Command, draw: DrawContext): Command {
  const body = JSON.stringify(command.body).replace(/\{\{word\.event\d+\}\}/, draw.unique('event'));
  return { ...command, body: JSON.parse(body) as Template };
}

/** Repeats a change of a resource that has ended, is removed or has refused a request since. In a new state if possible. */
export function pickChange(changes: readonly Command[], draw: DrawContext): Command | undefined {
  const found = changes.flatMap((command) => {
    const resource = draw.resources.find(({ label }) => label === command.on);
    if (!resource || !draw.listStates(resource).some((each) => STATES.includes(each))) return [];
    return { command, isNew: draw.isInNewState(command.operation, resource) };
  });
  const isNew = found.filter((each) => each.isNew);
  if (found.length === 0) return undefined;
  return repeat(draw.pick(isNew.length > 0 ? isNew : found).command, draw);
}

/** Repeats a request without one of its optional parameters. */
export function omitParameter(command: Command, draw: DrawContext): Command | undefined {
  const { operation, query = {}, invalid, accepted: _, ...same } = repeat(command, draw);
  const names = operations[operation].params.flatMap(({ name, required }) =>
    !required && name in query ? [name as string] : [],
  );
  // A new resource without a label could not be removed.
  const isMaking = command.as === undefined && findCreatedKind(operation) !== undefined;
  if (names.length === 0 || invalid !== undefined || isMaking) return undefined;
  const dropped = draw.pick(names);
  const left = Object.fromEntries(Object.entries(query).filter(([name]) => name !== dropped));
  return { ...same, operation, query: left, condition: `again without ${dropped}` };
}

/** After a removal: creates the resource again, and uses it or removes it a second time. */
export function recreateResource(
  removal: Command,
  { label: old, kind }: Resource,
  made: ReadonlyMap<string, Command>,
  draw: DrawContext,
  mayStartTask: boolean,
): SequenceStep[] {
  const creation = made.get(old);
  const isMisdirected = removal.astray !== undefined || removal.invalid !== undefined;
  // Other steps create tasks often enough.
  if (creation?.as === undefined || isMisdirected || kind === 'task' || kind === 'chat') return [];
  const label = `${creation.as}_anew`;
  const anew = JSON.stringify(removal).replaceAll(`{{${creation.as}.`, `{{${label}.`);
  const again: Command = { ...creation, as: label, open: true, condition: 'made again after its removal' };
  const removedAgain: Command = {
    ...(JSON.parse(anew) as Command),
    on: label,
    condition: 'a second removal',
  };
  const roll = draw.random.next();
  if (kind === 'profile' && mayStartTask && roll < 0.4)
    return [again, createTaskInProfile(label, creation, draw)];
  return roll < 0.5 ? [again] : [again, removedAgain];
}

function createTaskInProfile(profile: string, { key }: Command, draw: DrawContext): Command {
  return {
    operation: 'createTask',
    as: draw.createLabel('task'),
    ...(key !== undefined && { key }),
    body: { task: null, profile_id: `{{${profile}.profile_id}}` },
    accepted: 'TASK-11',
    condition: 'with profile_id',
  };
}

export function repeatAtOnce(command: Command, number: number): Command {
  return { ...command, ...(command.as !== undefined && { as: `${command.as}_${number + 1}` }) };
}
