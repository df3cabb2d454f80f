import type { Mock, MockTime, TimeOptions, TimeRun } from './interface.js';

/** The time of one mock. What makes time virtual is loaded with the first run: it needs Node.js. */
export class TimeOfMock implements MockTime {
  constructor(private readonly mock: Pick<Mock, 'ready' | 'service'>) {}

  async run<T>(_client: (run: TimeRun) => T | Promise<T>, _options: TimeOptions = {}): Promise<T> {
    await this.mock.ready;
    throw new Error('mock.time.run is not there yet.');
  }

  get isClients(): boolean {
    return false;
  }
}
