import { expect, jest } from '@jest/globals';

// Specs of real servers share two cores with those servers: a test that fails is tried again, its first errors are printed.
// Specs of the pure core are never tried again.
if (/\.(int|e2e)\.spec\.ts$/.test(expect.getState().testPath ?? '')) jest.retryTimes(2, { logErrorsBeforeRetry: true });
