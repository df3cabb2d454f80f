import type { McpHandler } from '../../mock/options/mock-options.js';
import type { McpOnMock } from '../mcp/serve-on-mock.js';

/** Loads the Model Context Protocol with its first request: the mock starts faster. */
export class LazyMcp {
  #loaded: Promise<McpOnMock> | undefined;

  constructor(private readonly load: () => Promise<McpOnMock>) {}

  readonly respond: McpHandler = async (request) => {
    this.#loaded ??= this.load();
    return (await this.#loaded).respond(request);
  };

  async close(): Promise<void> {
    await (await this.#loaded)?.close();
  }
}
