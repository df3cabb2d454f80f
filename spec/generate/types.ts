import openapiTS, { astToString } from 'openapi-typescript';
import { BANNER, type Document } from './document.js';

/** The types of every path, operation and schema. Requests keep defaulted fields optional. */
export async function generateTypes(document: Document): Promise<string> {
  const nodes = await openapiTS(structuredClone(document) as never, {
    defaultNonNullable: false,
    emptyObjectsUnknown: true,
    silent: true,
  });
  return BANNER + astToString(nodes);
}
