import type { BrowserContextOptions } from 'playwright-core';
import { clientRules } from '../../../conformance/rules/client-rules.js';
import { judgeExchanges } from '../../../conformance/rules/judge.js';
import type { MockOptions } from '../../../mock/options/mock-options.js';
import { useStudio } from './use-studio.js';

const TOOL = { name: 'ask', description: 'Asks.', inputs: {}, output: 'An answer.' };

/** One browser for the tests of a `describe`; the function opens a mock that judges its client, and its page. */
export function useLivePage() {
  const openStudio = useStudio();
  return async (options: MockOptions = {}, where: BrowserContextOptions = {}) => {
    const opened = await openStudio(
      { clock: 'manual', judge: (all) => judgeExchanges(clientRules, all).findings(), ...options },
      { viewport: { width: 1440, height: 860 }, reducedMotion: 'reduce', ...where },
    );
    const { mock, page, baseUrl } = opened;
    await page.getByText('live', { exact: true }).waitFor();
    const send = async (method: string, path: string, body?: object) => {
      const response = await mock.fetch(`${baseUrl}/api/v1${path}`, {
        method,
        headers: { apikey: 'a', 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      // biome-ignore lint/suspicious/noExplicitAny: what the API responds.
      return ((await response.json()) as any).r;
    };
    return {
      ...opened,
      send,
      create: async (task: string): Promise<string> =>
        (await send('POST', '/task', { task, custom_tools: [TOOL] })).id,
      /** A task that follows this timeline. */
      follow: async (task: string, timeline: object[]): Promise<string> => {
        const request = { task, custom_tools: [TOOL] };
        await mock.scenario({ name: task, title: task, request, timeline } as never);
        return (await send('POST', '/task', request)).id;
      },
      item: (text: string) => page.locator('.item', { hasText: text }).first(),
      button: (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' }),
      appears: (selector: string, text: string | RegExp) =>
        page.locator(selector, { hasText: text }).first().waitFor(),
    };
  };
}
