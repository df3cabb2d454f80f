import { type OperationParameter, operations } from '../../../../spec/generated/operations.js';
import { SIMILARITIES } from '../sequence/names.js';
import { KINDS, type Resource, type ResourceKind } from '../sequence/resources.js';
import type { Template } from '../sequence/sequence.js';
import {
  type CommandBuilder,
  type CommandChoice,
  type CommandFields,
  type DrawContext,
  formatReference,
} from './draw.js';

/** Requests that must not reach the resource: a similar id, the key of another organisation, another workspace. */
export function listMisdirectedChoices(
  { operation, of }: CommandBuilder,
  draw: DrawContext,
  resource: Resource,
  base: () => CommandFields | undefined,
): CommandChoice[] {
  const within: readonly string[] =
    'within' in KINDS[of!] ? (KINDS[of!] as { within: readonly string[] }).within : [];
  const parameters = (operations[operation].params as readonly OperationParameter[]).filter(
    ({ name, required }) => required && !within.includes(name) && isIdParameter(of!, name),
  );
  const addSimilarId = (how: string): CommandFields | undefined => {
    const fields = base();
    if (!fields) return undefined;
    if (parameters.length === 0) return replaceIdInBody(fields, resource, how);
    const { name, in: where } = draw.pick(parameters);
    const place = where === 'header' ? 'headers' : where;
    const value = `{{${resource.label}.${name}|${how}}}`;
    return { ...fields, [place]: { ...fields[place], [name]: value }, astray: 'similar' };
  };
  const choices = SIMILARITIES.map(
    (how): CommandChoice => ({
      condition: `similar id: ${how}`,
      weight: 0.35,
      make: () => addSimilarId(how),
    }),
  );
  if (draw.hasStranger && resource.key === 'main' && operations[operation].auth !== 'none')
    choices.push({
      condition: 'key of another organisation',
      weight: 1,
      make: () => {
        const fields = base();
        return fields && { ...fields, key: 'other', astray: 'stranger' };
      },
    });
  if (within.includes('workspace-id'))
    choices.push({
      condition: 'in another workspace',
      weight: 1,
      make: () => {
        const fields = base();
        const other = draw.pickResource('workspace', ({ label }) => label !== resource.workspace);
        if (!fields || !other) return undefined;
        return {
          ...fields,
          headers: { ...fields.headers, 'workspace-id': formatReference(other, 'workspace-id') },
          astray: 'elsewhere',
        };
      },
    });
  return choices;
}

/** The id in the body, for operations without an id parameter. */
function replaceIdInBody(fields: CommandFields, resource: Resource, how: string): CommandFields | undefined {
  const body = JSON.stringify(fields.body);
  const name = formatReference(resource, KINDS[resource.kind].id);
  if (!body?.includes(name)) return undefined;
  const similar = body.replaceAll(name, name.replace('}}', `|${how}}}`));
  return { ...fields, body: JSON.parse(similar) as Template, astray: 'similar' };
}

/** Whether the parameter holds an id of the kind, and not only that of its workspace or chat. */
function isIdParameter(kind: ResourceKind, parameter: string): boolean {
  return parameter === KINDS[kind].id || parameter.endsWith('id') || parameter === 't';
}
