import type { OperationId } from '../../spec/generated/operations.js';
import { accountSamplers } from './samples-account.js';
import type { Sampler } from './samples-sampler.js';
import { taskSamplers } from './samples-tasks.js';
import { uploadSamplers } from './samples-uploads.js';
import { workspaceSamplers } from './samples-workspaces.js';

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
