import { readField, toFields } from '../../conversation/json.js';
import type { Job } from '../types.js';
import { isSame } from './observed-run.js';

/**
 * Whether a tool ran with the input of its call. Libraries that parse it by the schema of the tool fill in defaults or null, and drop
 * fields that the schema does not have.
 */
export function isSameToolInput(tool: string, called: unknown, ran: unknown, { request }: Job): boolean {
  const tools = Array.isArray(request.custom_tools) ? request.custom_tools : [];
  const inputs = tools.find((each) => readField(each, 'name') === tool);
  return isEqualBySchema(readField(inputs, 'inputs'), called, ran);
}

function isEqualBySchema(schema: unknown, called: unknown, ran: unknown): boolean {
  if (isSame(called, ran)) return true;
  if (Array.isArray(called) && Array.isArray(ran))
    return (
      called.length === ran.length &&
      called.every((member, at) => isEqualBySchema(readField(schema, 'items'), member, ran[at]))
    );
  const [from, to] = [toFields(called), toFields(ran)];
  const properties = toFields(readField(schema, 'properties'));
  if (!from || !to || !properties) return false;
  const required = readField(schema, 'required');
  return [...new Set([...Object.keys(from), ...Object.keys(to)])].every((name) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (Object.hasOwn(from, name) && Object.hasOwn(to, name))
      return isEqualBySchema(property, from[name], to[name]);
    if (property === undefined) return Object.hasOwn(from, name);
    if (Array.isArray(required) && required.includes(name)) return false;
    return Object.hasOwn(to, name) && (to[name] === null || isSame(to[name], readField(property, 'default')));
  });
}
