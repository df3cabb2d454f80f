import type { OperationId } from '../../../spec/generated/operations.js';
import { accountSamplers } from './account.js';
import type { Sampler } from './builder.js';
import { taskSamplers } from './tasks.js';
import { uploadSamplers } from './uploads.js';
import { workspaceSamplers } from './workspaces.js';

/**
 * A valid request for every operation. What costs money or changes the account says so; what is made is taken away again,
 * save for workspaces, which nothing removes.
 */
export const samplers: Readonly<Record<OperationId, Sampler>> = Object.freeze({
  ...accountSamplers,
  ...taskSamplers,
  ...uploadSamplers,
  ...workspaceSamplers,
});
