import { type OperationParameter, operations } from '../../../../spec/generated/operations.js';
import type { CommandBuilder } from '../../operations/definitions.js';
import type { CommandFields } from '../../operations/operation.js';
import { resources } from '../../operations/resources.js';
import { SIMILARITIES } from '../sequence/names.js';
import { isWithinWorkspace, type Resource } from '../sequence/resources.js';
import type { Template } from '../sequence/sequence.js';
import { type CommandChoice, type DrawContext, formatReference } from './draw.js';

/** Requests that must not reach the resource: a similar id, the key of another organisation, another workspace. */
export function listMisdirectedChoices(
  { operation }: CommandBuilder,
  draw: DrawContext,
  resource: Resource,
  base: () => CommandFields | undefined,
): CommandChoice[] {
  const parameters = (operations[operation].params as readonly OperationParameter[]).filter(
    ({ name, required }) => required && isIdParameter(resource, name),
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
  if (isWithinWorkspace(resource))
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
  const name = formatReference(resource, resources[resource.kind].id!);
  if (!body?.includes(name)) return undefined;
  const similar = body.replaceAll(name, name.replace('}}', `|${how}}}`));
  return { ...fields, body: JSON.parse(similar) as Template, astray: 'similar' };
}

/** Whether the parameter holds an id of the resource, and not only that of its workspace. */
function isIdParameter(resource: Resource, parameter: string): boolean {
  if (parameter === 'workspace-id' && isWithinWorkspace(resource)) return false;
  return parameter === resources[resource.kind].id || parameter.endsWith('id') || parameter === 't';
}
