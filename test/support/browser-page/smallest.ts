/** The smallest use of the package, to measure its size. */
import { createMock } from 'taskdouble';
import { handlers } from 'taskdouble/msw';

Object.assign(globalThis, { handlers: handlers(createMock(), { baseUrl: '/' }) });
