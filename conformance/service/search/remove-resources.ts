import { HttpClient } from '../http-client/http-client.js';
import { NoResponse } from '../http-client/response.js';
import type { ServiceTarget } from '../http-client/target.js';
import type { ModelComparison } from './judge/model-comparison.js';
import { createRemovals } from './sequence/sequence.js';

/** Removes what the sequence created. `left`: what could not be removed. */
export async function removeResources(
  target: ServiceTarget,
  { resources, service }: ModelComparison,
): Promise<{ left: string[]; error?: NoResponse | undefined }> {
  const client = new HttpClient(target);
  const left: string[] = [];
  let error: NoResponse | undefined;
  for (const command of resources.toReversed().flatMap(createRemovals)) {
    const request = service.resolve(command);
    if (!request) continue;
    const response = await client.send(command.operation, request).catch((reason: unknown) => {
      if (reason instanceof NoResponse) error ??= reason;
      return undefined;
    });
    const isGone = response?.ok || [400, 404, 410].includes(response?.status ?? 0);
    if (!isGone)
      left.push(
        `what ${command.operation} should remove (${JSON.stringify({ ...request.path, ...request.query })})`,
      );
  }
  return { left, error };
}
