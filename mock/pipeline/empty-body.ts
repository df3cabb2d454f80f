import type { Organisation } from '../engine/organisation.js';

/** The body of the operations whose success body the API leaves open (dialect `empty-body.shape`). */
export function emptyBody(organisation: Organisation): unknown {
  switch (organisation.world.setup.dialect['empty-body.shape']) {
    case 'empty-object':
      return {};
    case 'null':
      return null;
    default:
      return { r: true };
  }
}
