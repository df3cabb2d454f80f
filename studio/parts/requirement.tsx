import { requirements } from '../../spec/generated/requirements.js';

const RULES: ReadonlyMap<string, string> = new Map(requirements.map(({ id, rule }) => [id, rule]));

/** The text of a requirement; nothing if it is unknown. */
export function Requirement({ id }: { id: string }) {
  const parts = RULES.get(id)?.split('`') ?? [];
  return <>{parts.map((part, index) => (index % 2 === 0 ? part : <code key={index}>{part}</code>))}</>;
}

export function isRequirement(id: string): boolean {
  return RULES.has(id);
}
