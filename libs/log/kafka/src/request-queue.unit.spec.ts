import { createRequire } from 'node:module';
import { describe, expect, it } from '@jest/globals';
import { repairRequestQueue } from './request-queue.ts';

type Queue = {
  pending: unknown[];
  throttleCheckTimeoutId: NodeJS.Timeout | null;
  scheduleCheckPendingRequests(): void;
  destroy(): void;
};
const load = createRequire(import.meta.url);

describe("the repair of kafkajs's request queue", () => {
  it('fits the release it was made for', () => {
    expect((load('kafkajs/package.json') as { version: string }).version).toBe('2.2.4');
  });

  it('sets no timer while nothing is held back, and one while something is', () => {
    repairRequestQueue();
    repairRequestQueue();
    const RequestQueue = load('kafkajs/src/network/requestQueue/index.js') as new (options: object) => Queue;
    const queue = new RequestQueue({
      maxInFlightRequests: null,
      requestTimeout: 1,
      enforceRequestTimeout: false,
      logger: { debug: () => {} },
    });
    queue.scheduleCheckPendingRequests();
    expect(queue.throttleCheckTimeoutId).toBeNull();
    queue.pending = [{}];
    queue.scheduleCheckPendingRequests();
    expect(queue.throttleCheckTimeoutId).not.toBeNull();
    queue.pending = [];
    queue.destroy();
    expect(queue.throttleCheckTimeoutId).toBeNull();
  });
});
