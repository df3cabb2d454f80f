import type { Scenario } from '../../scenarios/format/types.js';
import type { QueuedScenario } from '../engine/organisation.js';

/** What the next tasks follow, in order. */
export interface QueueView {
  /** Null: of each organisation that is opened later. */
  organisation: string | null;
  queued: string[];
}

function readName(queued: QueuedScenario): string {
  return typeof queued === 'string' ? queued : queued.name;
}

export function viewQueue(queue: readonly QueuedScenario[], organisation: string | null): QueueView {
  return { organisation, queued: queue.map(readName) };
}

/** Removes the first entry of this name, or all; returns how many. */
export function removeFromQueue(queue: QueuedScenario[], name: string | undefined): number {
  if (name === undefined) return queue.splice(0).length;
  const index = queue.findIndex((each) => readName(each) === name);
  return index === -1 ? 0 : queue.splice(index, 1).length;
}

/** A predicate for scenarios that contain all words: in the name, the text of any field, or the requirements that they cover. */
export async function createScenarioSearch(search: string): Promise<(scenario: Scenario) => boolean> {
  const { requirements } = await import('../../spec/generated/requirements.js');
  const texts = new Map<string, string>(requirements.map(({ id, rule }) => [id, rule]));
  const words = search.toLowerCase().trim().split(/\s+/);
  return (scenario) => {
    const covered = scenario.covers.map((id) => texts.get(id) ?? '');
    const text = [JSON.stringify(scenario), ...covered].join(' ').toLowerCase();
    return words.every((word) => text.includes(word));
  };
}
