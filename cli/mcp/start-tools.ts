import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { API_KEY, type StartedMock } from './mock-admin.js';
import { CHANGES, reportErrors } from './result.js';

/** Tools that start and stop a mock. */
export function addStartTools(server: McpServer, mock: StartedMock): void {
  server.registerTool(
    'start_mock',
    {
      title: 'Start a mock',
      description: `Start a mock of the service on a free port of this machine. Point the client at base_url with the API key "${API_KEY}". With clock manual, time moves only by advance_clock.`,
      inputSchema: z.strictObject({
        clock: z.enum(['real', 'manual', 'skipping']).optional().describe('Default: real.'),
        seed: z.number().int().nonnegative().optional().describe('Default: 1.'),
      }),
      outputSchema: z.object({
        base_url: z.string(),
        api_key: z.string(),
        studio: z.string(),
        was_running: z.boolean(),
      }),
      annotations: CHANGES,
    },
    ({ clock, seed }) =>
      reportErrors(async () => {
        const flags = [
          ...(clock === undefined ? [] : [`--clock=${clock}`]),
          ...(seed === undefined ? [] : [`--seed=${seed}`]),
        ];
        const started = await mock.start(flags);
        return { ...started, api_key: API_KEY, studio: `${started.base_url}/` };
      }),
  );
  server.registerTool(
    'stop_mock',
    {
      title: 'Stop the mock',
      description: 'Stop the mock. Its tasks and journal are gone.',
      inputSchema: z.strictObject({}),
      outputSchema: z.object({ stopped: z.boolean() }),
      annotations: { ...CHANGES, destructiveHint: true },
    },
    () => reportErrors(async () => ({ stopped: await mock.stop() })),
  );
}
