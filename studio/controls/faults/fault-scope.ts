import { signal } from '@preact/signals';
import { formatKeyName } from '../../parts/key-name.js';

/** What a new fault is about. */
export type FaultScope =
  | { kind: 'together' }
  | { kind: 'each' }
  | { kind: 'organisation'; organisation: string }
  | { kind: 'task'; organisation: string; task: string };

/** The chosen kind; undefined: the narrowest that is usual, see `chooseScope`. */
export const chosenScope = signal<FaultScope['kind'] | undefined>(undefined);

/** In the form of the query of `POST /__admin/network`. */
export interface RulePlace {
  organisation?: string;
  task?: string;
  count?: 'together';
}

export function toPlace(scope: FaultScope): RulePlace {
  switch (scope.kind) {
    case 'together':
      return { count: 'together' };
    case 'each':
      return {};
    case 'organisation':
      return { organisation: scope.organisation };
    case 'task':
      return { organisation: scope.organisation, task: scope.task };
  }
}

/** The scopes that can be chosen, with their words. `task`: the selected one. */
export function listScopes(
  organisation: string | undefined,
  task: string | undefined,
): { scope: FaultScope; label: string }[] {
  const all = [
    { scope: { kind: 'together' }, label: 'all keys, once in all' },
    { scope: { kind: 'each' }, label: 'all keys, each once' },
  ] as const;
  if (organisation === undefined) return [...all];
  const own = {
    scope: { kind: 'organisation', organisation } as const,
    label: `only ${formatKeyName(organisation)}`,
  };
  if (task === undefined) return [own, ...all];
  return [own, { scope: { kind: 'task', organisation, task }, label: 'this task' }, ...all];
}

/** The chosen scope if it is possible now, else the first: the key of the selected task, or all keys together. */
export function chooseScope(scopes: readonly { scope: FaultScope }[]): FaultScope {
  return (scopes.find(({ scope }) => scope.kind === chosenScope.value) ?? scopes[0]!).scope;
}
