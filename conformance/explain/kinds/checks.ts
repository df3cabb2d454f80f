import type { Explanation } from '../explanation.js';
import { explainRequirement } from './requirements.js';
import { explainRule } from './rules.js';
import { explainScenario } from './scenarios.js';

/** `polling/one-shot#POLL-02`: a case or scenario, and the requirement or rule that it checks. */
export async function explainCheck(name: string): Promise<Explanation | undefined> {
  const [where = '', what = ''] = name.split('#', 2);
  if (what === '') return undefined;
  const checked = explainRule(what) ?? explainRequirement(what.toUpperCase());
  const place = (await explainScenario(where)) ?? (await explainCase(where));
  if (!checked || !place) return undefined;
  return {
    ...checked,
    name,
    kind: 'check',
    facts: [[`In ${place.name}`, place.title], [`Checks ${checked.name}`, checked.title], ...checked.facts],
    commands: [...new Set([...(place.commands ?? []), ...(checked.commands ?? [])])],
  };
}

/** A case of `conform` that is no scenario. */
async function explainCase(
  id: string,
): Promise<Pick<Explanation, 'name' | 'title' | 'commands'> | undefined> {
  const { allCases } = await import('../../service/all-cases.js');
  const found = allCases.find((each) => each.id === id);
  return found && { name: id, title: found.title, commands: [`conform URL --api-key KEY --only '${id}*'`] };
}
