import { type OperationParameter, operations } from '../../../../spec/generated/operations.js';
import type { Template } from '../../operations/command.js';
import type { CommandBuilder } from '../../operations/definitions.js';
import type { Resource } from '../../operations/observed.js';
import type { CommandFields } from '../../operations/operation.js';
import { formatReference, refer } from '../../operations/operation.js';
import { resources } from '../../operations/resources.js';
import { SIMILARITIES } from '../sequence/names.js';
import { isWithinWorkspace } from '../sequence/sequence.js';
import type { AddChoice, DrawContext } from './draw.js';

/** Requests that must not reach the resource: a similar id, the key of another organisation, another workspace. */
export function addMisdirectedChoices(
  add: AddChoice,
  { operation }: CommandBuilder,
  draw: DrawContext,
  resource: Resource,
  base: () => CommandFields | undefined,
): void {
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
  for (const how of SIMILARITIES) add(`similar id: ${how}`, 0.35, () => addSimilarId(how));
  if (draw.hasStranger && resource.key === 'main' && operations[operation].auth !== 'none')
    add('key of another organisation', 1, () => {
      const fields = base();
      return fields && { ...fields, key: 'other', astray: 'stranger' };
    });
  if (isWithinWorkspace(resource))
    add('in another workspace', 1, () => {
      const fields = base();
      const other = draw.pickResource('workspace', ({ label }) => label !== resource.workspace);
      const id = refer(other, 'workspace-id', (name) => name);
      if (!fields || !id) return undefined;
      return { ...fields, headers: { ...fields.headers, 'workspace-id': id }, astray: 'elsewhere' };
    });
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
