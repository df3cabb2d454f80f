import { type OperationParameter, operations } from '../../../../spec/generated/operations.js';
import { NEARLY_RIGHT } from '../sequence/names.js';
import type { Template } from '../sequence/sequence.js';
import { KINDS, type Kind, type Thing } from '../sequence/things.js';
import { type Choice, type Draw, type Part, type Row, ref } from './draw.js';

/** Requests that do not get to the thing: a nearly right id, the key of another organisation, another workspace. */
export function astrayChoices(
  { operation, of }: Row,
  draw: Draw,
  thing: Thing,
  base: () => Part | undefined,
): Choice[] {
  const within: readonly string[] =
    'within' in KINDS[of!] ? (KINDS[of!] as { within: readonly string[] }).within : [];
  const parameters = (operations[operation].params as readonly OperationParameter[]).filter(
    ({ name, required }) => required && !within.includes(name) && isNameOf(of!, name),
  );
  const naming = (how: string): Part | undefined => {
    const part = base();
    if (!part) return undefined;
    if (parameters.length === 0) return namingInBody(part, thing, how);
    const { name, in: where } = draw.pick(parameters);
    const place = where === 'header' ? 'headers' : where;
    const value = `{{${thing.label}.${name}|${how}}}`;
    return { ...part, [place]: { ...part[place], [name]: value }, astray: 'similar' };
  };
  const choices = NEARLY_RIGHT.map(
    (how): Choice => ({
      condition: `similar id: ${how}`,
      weight: 0.35,
      make: () => naming(how),
    }),
  );
  if (draw.hasStranger && thing.key === 'main' && operations[operation].auth !== 'none')
    choices.push({
      condition: 'key of another organisation',
      weight: 1,
      make: () => {
        const part = base();
        return part && { ...part, key: 'other', astray: 'stranger' };
      },
    });
  if (within.includes('workspace-id'))
    choices.push({
      condition: 'in another workspace',
      weight: 1,
      make: () => {
        const part = base();
        const other = draw.thing('workspace', ({ label }) => label !== thing.workspace);
        if (!part || !other) return undefined;
        return {
          ...part,
          headers: { ...part.headers, 'workspace-id': ref(other, 'workspace-id') },
          astray: 'elsewhere',
        };
      },
    });
  return choices;
}

/** The body names the thing where no parameter does. */
function namingInBody(part: Part, thing: Thing, how: string): Part | undefined {
  const body = JSON.stringify(part.body);
  const name = ref(thing, KINDS[thing.kind].id);
  if (!body?.includes(name)) return undefined;
  const similar = body.replaceAll(name, name.replace('}}', `|${how}}}`));
  return { ...part, body: JSON.parse(similar) as Template, astray: 'similar' };
}

/** Parameters that hold an id of such a thing, beside those of what it is in. */
function isNameOf(kind: Kind, parameter: string): boolean {
  return parameter === KINDS[kind].id || parameter.endsWith('id') || parameter === 't';
}
