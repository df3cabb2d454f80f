import { createRandom } from '../../../mock/generate/random.js';
import type { Forward } from '../../mutants/operators/make.js';
import type { MutantRequest } from '../../mutants/operators/mutant-request.js';
import { type Variation, variation } from '../variation.js';

/** Other users of the same account, who make, change and remove what is theirs while the suite runs. */

/** What another user does with the key of the account; true for each request that was taken. */
class OtherUser {
  #made = 0;

  constructor(
    private readonly next: Forward,
    private readonly template: MutantRequest,
    private readonly key: string,
  ) {}

  async send(method: string, path: string, body?: unknown) {
    const request = this.template.derive(method, path);
    request.key = this.key;
    if (body !== undefined) {
      request.json = body;
      request.headers['content-type'] = 'application/json';
    }
    return this.next(request);
  }

  /** Makes one of each, and an id of it where it can be removed again. */
  readonly makers = [
    async () => this.#findRemovable('/task', await this.send('POST', '/task', { task: null })),
    async () =>
      this.#findRemovable('/task', await this.send('POST', '/task', { task: `Errand ${++this.#made}` })),
    async () =>
      this.#findRemovable('/profile', await this.send('POST', '/profile', { id: `errand-${++this.#made}` })),
    async () => void (await this.send('POST', `/workspace/errand-${++this.#made}`)),
    async () => void (await this.send('POST', `/org?name=Errand%20${++this.#made}`)),
    async () => void (await this.send('POST', '/topup?amount=3')),
  ];

  #findRemovable(path: string, { record }: Awaited<ReturnType<OtherUser['send']>>): string | undefined {
    return typeof record.id === 'string' ? `${path}/${record.id}` : undefined;
  }
}

const KEYS = ['main-key', 'other-key'];

/** Before one request in so many another user does something. `first`: what they have made before the run. */
function createBusyVariation(what: string, oneIn: number, { first = 0, makes = 6 } = {}): Variation {
  return variation(what, () => {
    const random = createRandom(what);
    const theirs: string[] = [];
    let hasBegun = false;
    return async (request, next) => {
      const act = async (key: string) => {
        const user = new OtherUser(next, request, key);
        const old =
          theirs.length > 0 && random.next() < 0.5
            ? theirs.splice(random.int(0, theirs.length - 1), 1)[0]
            : undefined;
        if (old !== undefined) return void (await user.send('DELETE', old));
        const made = await random.pick(user.makers.slice(0, makes))();
        if (made !== undefined) theirs.push(made);
      };
      if (!hasBegun) {
        hasBegun = true;
        const user = new OtherUser(next, request, KEYS[0]!);
        for (let nth = 0; nth < first; nth++) await user.makers[nth % 4]!();
      }
      if (random.next() * oneIn < 1) await act(random.pick(KEYS));
      return next(request);
    };
  });
}

export const account: readonly Variation[] = [
  createBusyVariation('is used by others of the account at the same time', 6, { makes: 4 }),
  createBusyVariation('is used by others, who buy credits and change the name of the organisation too', 12),
  createBusyVariation('has an account with many tasks, profiles and workspaces', 1e9, { first: 600 }),
];
